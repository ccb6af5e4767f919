// The rows of a product channel, projected to what its outputs can reveal about one coordinate or another function
// of the input: each row is its group and its class in each factor. Neither the inputs nor the outputs of the
// whole channel are enumerated. Equal factors are merged, and redundant outputs are dropped.
//
// AllowedPairs says which groups may be on which side of a ratio.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "verifier/model/definition.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// Indexed by group. An empty vector allows every group.
struct AllowedPairs {
  std::vector<bool> from;
  std::vector<bool> to;

  bool may_be_from(std::size_t group) const { return from.empty() || from[group]; }
  bool may_be_to(std::size_t group) const { return to.empty() || to[group]; }
  bool allows(std::size_t a, std::size_t b) const { return a != b && may_be_from(a) && may_be_to(b); }
  friend bool operator==(const AllowedPairs&, const AllowedPairs&) = default;
};

// Projected rows.

/// A factor restricted to the inputs that occur, or several equal factors together. Then an output is a multiset
/// of their outputs: all orders of it have proportional entries. Inputs with equal rows are one class. Every
/// possible output that is not listed is proportional to a listed one, or a non-negative combination of listed
/// ones, so it has no larger ratio (search_node.h).
struct SeenFactor {
  std::vector<std::size_t> factors;                 // indices in the channel
  std::vector<std::vector<std::uint64_t>> outputs;  // one output for each of `factors`
  std::vector<std::vector<Number>> entries;         // [output][class], up to a factor per output (scale())
  std::size_t classes = 0;
  ChannelPtr channel;
  std::vector<std::uint64_t> inputs;  // [class]: one of its inputs

  /// Returns the factor that turns the entries of an output into probabilities. For many runs it is a long number,
  /// so it is computed only for outputs that are reported.
  Number scale(std::size_t output) const;
};

/// kNeeded: only the needed outputs of each factor (search_node.h). kDifferent: the same for two classes;
/// otherwise all outputs that are not proportional to another one.
enum class WhichOutputs { kNeeded, kDifferent };

/// Factors that are one mechanism on the same coordinates.
struct EqualFactors {
  std::vector<std::size_t> factors;                 // indices in the channel
  std::map<std::uint64_t, std::uint32_t> class_of;  // of the inputs that occur
};

/// Returns the groups of equal factors, in order of their first factors.
std::vector<EqualFactors> equal_factors(std::span<const Factor> factors);
/// Returns how many of `runs` runs of one factor are combined into one: their types (how often each output occurs) are
/// at most 4,096.
std::size_t runs_together(std::size_t runs, std::size_t outputs);
/// Returns the factors, restricted to the inputs in `class_of`: all as one if that has few outputs, otherwise in
/// several batches. Sets the class numbers in `class_of`. Throws LimitError if the budget is exceeded.
std::vector<SeenFactor> seen_factors(const ChannelPtr& channel, EqualFactors& equal, Budget& budget,
                                     WhichOutputs which = WhichOutputs::kNeeded);

struct SeenRow {
  std::uint32_t group = 0;
  std::vector<std::uint32_t> classes;  // per factor
  Number weight;
};

struct ProjectedRows {
  std::vector<SeenFactor> factors;
  std::vector<SeenRow> rows;   // distinct, of positive weight, sorted by group
  std::vector<Number> masses;  // per group: the sum of its weights
  AllowedPairs direction{};    // ratios are searched between these groups
};

/// Returns the projected rows. The channel must be a product, and the model must have a prior. Throws LimitError
/// if the budget is exceeded.
ProjectedRows rows_by_label(const Model& model, const Partition& partition, Budget& budget,
                            WhichOutputs which = WhichOutputs::kNeeded);
/// The same with the values of a coordinate as groups.
ProjectedRows rows_by_value(const Model& model, std::size_t coordinate, Budget& budget,
                            WhichOutputs which = WhichOutputs::kNeeded);

}  // namespace oddsbound::engine
