// Which of several groups may stand on which side of a quotient.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "verifier/model/model.h"

namespace oddsbound::engine {

/// By group; empty: any may.
struct AllowedPairs {
  std::vector<bool> from;
  std::vector<bool> to;

  bool may_be_from(std::size_t group) const { return from.empty() || from[group]; }
  bool may_be_to(std::size_t group) const { return to.empty() || to[group]; }
  bool allows(std::size_t a, std::size_t b) const { return a != b && may_be_from(a) && may_be_to(b); }
  friend bool operator==(const AllowedPairs&, const AllowedPairs&) = default;
};

// What the outputs of a product channel can tell about one coordinate or another function of the input, and nothing
// else: the rows that occur, by its value, as what each factor sees of them. Neither inputs nor outputs of the whole
// are counted.

/// A factor for the rows that occur, or several equal ones that see the same: then an output is how often each output
/// came, for what is possible in one order is in proportion to any other. Inputs with equal rows of the matrix are one
/// class. No possible output has a larger ratio than all of those listed: it is in proportion to one of them,
/// or a sum of several (search_node.h).
struct SeenFactor {
  std::vector<std::size_t> factors;                 // of the channel
  std::vector<std::vector<std::uint64_t>> outputs;  // one for each of these
  std::vector<std::vector<Number>> entries;         // [output][class], in proportion: the first that is not 0 is 1
  std::size_t classes = 0;
  ChannelPtr channel;
  std::vector<std::uint64_t> inputs;  // [class]: one of them

  /// What to multiply the entries of an output with to have probabilities: of many runs a long number, which only
  /// outputs that are shown need.
  Number scale(std::size_t output) const;
};

/// Of each factor's outputs those that are needed (search_node.h), or all that are not in proportion to another one
/// where more than two classes are told apart.
enum class WhichOutputs { kNeeded, kDifferent };

/// Factors that are one mechanism run again on the same coordinates.
struct EqualFactors {
  std::vector<std::size_t> factors;                 // of the channel
  std::map<std::uint64_t, std::uint32_t> class_of;  // of the inputs that occur
};

/// In order of the first of each.
std::vector<EqualFactors> equal_factors(std::span<const Factor> factors);
/// What they see of the inputs that `class_of` names, all together where that has few outputs, else some at a time;
/// numbers the classes. Throws LimitError past the budget.
std::vector<SeenFactor> seen_factors(const ChannelPtr& channel, EqualFactors& equal, Budget& budget,
                                     WhichOutputs which = WhichOutputs::kNeeded);

struct SeenRow {
  std::uint32_t group = 0;
  std::vector<std::uint32_t> classes;  // per factor
  Number weight;
};

struct ProjectedRows {
  std::vector<SeenFactor> factors;
  std::vector<SeenRow> rows;   // different ones, of positive weight, by group
  std::vector<Number> masses;  // per group: the sum of its weights
  AllowedPairs direction{};       // between which groups ratios are looked for
};

/// In which of `count` groups a row is. Several threads may ask.
struct RowGroups {
  std::size_t count = 0;
  std::function<std::uint32_t(InputView row)> of;
};

/// The channel is a product, the model has a prior. Throws LimitError past the budget.
ProjectedRows rows_by_group(const Model& model, const RowGroups& groups, Budget& budget,
                       WhichOutputs which = WhichOutputs::kNeeded);
/// The groups are the values of a coordinate.
ProjectedRows rows_by_value(const Model& model, std::size_t coordinate, Budget& budget,
                       WhichOutputs which = WhichOutputs::kNeeded);

}  // namespace oddsbound::engine
