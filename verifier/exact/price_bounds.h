// Whether a linear form is negative on a whole polytope, as far as doubles tell: it is proven, or nothing is said.
//
// Whatever the prices y are, form . x = y . right + (form - A^T y) . x where A x = right, so it is at most y . right +
// total * the largest entry of form - A^T y, if total is what the sum of x is at most. Bases that were good for earlier
// forms have prices for this one, and these are often good enough.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "verifier/exact/basis.h"

namespace oddsbound::exact {

class PriceBounds {
 public:
  /// total: not below the sum of any point.
  PriceBounds(const Equations& equations, const Number& total);

  /// True: form . x < 0 at every point. Each entry of the form is within a relative error of 2^-48 of what is meant.
  /// prices: per equation, whatever they are.
  bool prove_negative(std::span<const double> form, std::span<const double> prices) const;
  /// The same by the bases that are remembered.
  bool prove_negative(std::span<const double> form);
  /// Forgets that which was of no use for longest, if there are many.
  void remember(const Basis& basis);

 private:
  struct Remembered {
    Basis basis;
    std::vector<double> inverse;  // columns x rows of the basis
  };

  void set_prices(const Remembered& remembered, std::span<const double> form);
  std::vector<double> inverse_of(const Basis& basis) const;

  // The equations in doubles, each within a relative error of 2^-51, or where it is below 2^-1000, that far off.
  std::vector<double> right_, entries_;
  std::vector<std::size_t> starts_, rows_;
  double total_;  // not below
  std::vector<Remembered> bases_;
  std::vector<double> prices_;
};

}  // namespace oddsbound::exact
