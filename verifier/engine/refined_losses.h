// Bounds of the largest hockey-stick divergence of some products of loss distributions, on finer and finer grids
// (loss_grid.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "verifier/engine/loss_grid.h"

namespace oddsbound::engine {

/// Bounds of the largest divergence of some products, the product with the largest lower bound, and the limit that
/// ended the search; empty if the gap was reached.
struct RefinedLosses {
  NumberBounds bounds;
  std::size_t largest = 0;
  std::string limit;
};

/// Some products whose largest divergence is asked for at several factors. Grids are kept as far as memory allows.
class RefinedProducts {
 public:
  /// products: at least one; all outlive this object.
  RefinedProducts(const std::vector<const LossProduct*>& products, Budget& budget);
  ~RefinedProducts();
  RefinedProducts(RefinedProducts&&) noexcept;

  /// Reduces the spacing of the grid until the relative gap (upper - lower) / upper is at most `gap`. Products that
  /// cannot be the largest are left out. A product of which only an exact zero is known has the bounds 0 and 0.
  /// threshold: if given, the search also ends once the bounds show whether the divergence exceeds it.
  ///
  /// Throws LimitError if a limit was reached before there are any bounds.
  RefinedLosses at(const Number& factor, double gap, const Number* threshold, Budget& budget);

 private:
  class Product;
  std::vector<Product> products_;
  std::size_t kept_ = 0;  // words of all grids that are kept
};

/// The same for a single factor.
RefinedLosses refined_losses(const std::vector<const LossProduct*>& products, const Number& factor, double gap,
                             Budget& budget);

}  // namespace oddsbound::engine
