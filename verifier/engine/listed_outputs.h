// The largest ratio between groups of rows by going through all outputs of a product channel: for few outputs and many
// rows, where already the first bounds of a search (output_search.h) cost more.
//
// After the outputs of the first factors are fixed, rows of one group that agree in the other factors are one cell
// (SuffixRows::kOfEachGroup). So a factor's output costs one multiplication per cell that is left, not one per row.
//
// Invariant: doubles with a bound of their error discard outputs; exact numbers compare the others.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "verifier/engine/pair_losses.h"
#include "verifier/engine/projected_rows.h"

namespace oddsbound::engine {

/// An output, and a pair of groups.
struct ListedOutput {
  Path path;
  std::uint32_t from = 0, to = 0;
};

class ListedOutputs {
 public:
  /// Fixes the factors in the order of these suffixes, or in the reverse order if that takes fewer multiplications. All
  /// arguments must outlive this object.
  ListedOutputs(const ProjectedRows& seen, const Suffixes& suffixes, const PathWeights& exact, Budget& budget);

  /// Returns the number of multiplications, about.
  double steps() const { return steps_; }
  /// Returns the output, as a path of the suffixes, and the allowed pair of groups with mass that have the largest
  /// ratio; the first ones of equal ones. Calls look() from time to time. Returns nullopt if no pair is allowed, if
  /// weights are outside the range of doubles, or if too many outputs are equal in doubles.
  std::optional<ListedOutput> best(const std::function<void()>& look) const;

 private:
  using Weights = std::vector<double>;  // per cell
  class Pass;

  std::optional<Weights> first_weights() const;
  /// Sets the weights after an output of the factor at this depth. Returns false if one is outside the range of
  /// doubles.
  bool fix(std::size_t depth, std::uint32_t output, const Weights& before, Weights& after) const;
  double largest_ratio(const Weights& groups) const;

  const ProjectedRows& seen_;
  const Suffixes& suffixes_;
  const PathWeights& exact_;
  Budget& budget_;
  Suffixes cells_;
  bool reversed_ = false;                 // the order of the cells, to that of the suffixes
  std::vector<std::uint32_t> from_, to_;  // groups with mass that may be on this side
  double steps_ = 0;
};

}  // namespace oddsbound::engine
