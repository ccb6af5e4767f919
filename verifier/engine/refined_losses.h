// Bounds of the largest hockey-stick divergence of some products of loss distributions, on finer and finer grids
// (loss_grid.h).
#pragma once

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

/// Reduces the spacing of the grid until the relative gap (upper - lower) / upper is at most `gap`. Products that
/// cannot be the largest are left out. A product of which only an exact zero is known has the bounds 0 and 0.
///
/// Throws LimitError if a limit was reached before there are any bounds.
RefinedLosses refined_losses(const std::vector<const LossProduct*>& products, const Number& factor, double gap,
                             Budget& budget);

}  // namespace oddsbound::engine
