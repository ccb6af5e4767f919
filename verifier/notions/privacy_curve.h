// The (epsilon, delta) curve of a mechanism: the smallest delta at every epsilon, and the smallest epsilon at a delta.
//
// For one pair of inputs, delta is convex and piecewise linear in E = e^epsilon. Between two neighboring ratios r' and
// r > r' of its loss distribution,
//
//   delta(E) = P - E Q  for r' <= E <= r,
//
// P and Q the masses of the outputs with a ratio of at least r. The smallest epsilon is therefore exact as well:
// E = (P - delta) / Q. Enclosures find the segment; exact numbers confirm it. Losses that are too many to list are put
// on grids (engine/refined_losses.h), and both quantities lie between two bounds.
#pragma once

#include <memory>

#include "verifier/engine/loss_grid.h"
#include "verifier/engine/measured_model.h"
#include "verifier/model/definition.h"

namespace oddsbound::notions {

class PrivacyCurve {
 public:
  /// Compares inputs that differ only within one of the groups. The subject's channel is a product without symbols, and
  /// outlives this object. Throws LimitError if the kinds of pairs are too many, and outputs are too many to list.
  PrivacyCurve(MeasuredModel& subject, CoordinateGroups groups);
  ~PrivacyCurve();
  PrivacyCurve(const PrivacyCurve&) = delete;

  /// Returns the smallest epsilon with this delta, 0 <= delta <= 1. Its witness names the worst pair of inputs and the
  /// probabilities of the event P(y given from) > e^epsilon P(y given to). Throws LimitError if nothing is known.
  MeasuredLevel epsilon_at(const Number& delta);

  /// Bounds of delta at a factor e^epsilon >= 1, which differ by at most some 2^-60 of the upper one if all losses are
  /// listed. Otherwise grids are refined to a relative gap of `gap`, if no limit is reached. Throws LimitError if
  /// nothing is known.
  NumberBounds delta_at(const Number& factor, double gap);

  /// True if all losses are listed: epsilon is exact.
  bool is_listed() const;

 private:
  class Listed;
  class Search;
  struct Sources;
  std::unique_ptr<Sources> sources_;
};

}  // namespace oddsbound::notions
