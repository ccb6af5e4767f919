// The largest ratio between groups of rows by going through all outputs of a product channel: for few outputs and many
// rows, where already the first bounds of a search (output_search.h) cost more.
//
// After the outputs of the first factors are fixed, rows of one group that agree in the other factors are one cell.
// So a factor's output costs one multiplication per cell that is left, not one per row.
//
// Invariant: doubles with a bound of their error discard outputs; exact numbers compare the others.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "verifier/engine/projected_rows.h"

namespace oddsbound::engine {

/// An output of the rows, and a pair of groups.
struct ListedOutput {
  std::vector<std::uint32_t> outputs;  // [factor]: an index in SeenFactor::outputs
  std::uint32_t from = 0, to = 0;
};

class ListedOutputs {
 public:
  /// Fixes the factors in this order, or in the reverse order if that takes fewer multiplications. seen and budget must
  /// outlive this object.
  ListedOutputs(const ProjectedRows& seen, const std::vector<std::size_t>& order, Budget& budget);

  /// Returns the number of multiplications, about.
  double steps() const { return steps_; }
  /// Returns the output and the allowed pair of groups with mass that have the largest ratio; the first ones of equal
  /// ones. Calls look() from time to time. Returns nullopt if no pair is allowed, if weights are outside the range of
  /// doubles, or if too many outputs are equal in doubles.
  std::optional<ListedOutput> best(const std::function<void()>& look) const;

 private:
  // The cells before the factor at some depth is fixed.
  struct Layer {
    std::size_t factor = 0;
    std::vector<std::uint32_t> seen;             // [cell]: its class in the factor
    std::vector<std::uint32_t> next;             // [cell]: its cell in the next layer; the groups after the last one
    std::vector<std::vector<double>> entries{};  // [output][class]
  };
  struct Plan {
    std::vector<Layer> layers;
    std::vector<std::uint32_t> first;  // [row]: its cell in the first layer
    double steps = 0;
  };
  // The largest ratios of an output in doubles: from one of `from` to one of `to`.
  struct Extremes {
    double ratio = 0;  // 0: no pair has a ratio
    std::vector<std::uint32_t> from, to;
  };
  using Weights = std::vector<double>;  // per cell
  class Pass;
  class ExactSums;

  Plan plan(std::vector<std::size_t> order) const;
  bool fill_entries();
  std::optional<Weights> first_weights() const;
  /// Sets the weights after an output of the layer's factor. Returns false if one is outside the range of doubles.
  bool fix(const Layer& layer, std::uint32_t output, const Weights& before, Weights& after) const;
  double largest_ratio(const Weights& groups) const;
  Extremes extremes(const Weights& groups, double least) const;

  const ProjectedRows& seen_;
  Budget& budget_;
  std::vector<Layer> layers_;
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> from_, to_;  // groups with mass that may be on this side
  double steps_ = 0;
  double error_ = 0;  // of a ratio, relative
  bool in_range_ = true;
};

}  // namespace oddsbound::engine
