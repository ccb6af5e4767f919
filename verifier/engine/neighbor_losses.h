// Loss distributions of neighboring inputs of a product: which pairs of inputs are worst for every event, without a
// list of outputs.
//
// A part whose rows are equal for both inputs of a pair cancels. For the others, inputs count by their rows, rows by
// the loss distribution of the pair, and equal distributions by their number. Components of the product
// (decompose.h) are chosen one by one: a pair of inputs of a component that is dominated (loss_distribution.h) by
// another is never needed, because domination is kept under composition.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "verifier/engine/decompose.h"
#include "verifier/engine/loss_distribution.h"

namespace oddsbound::engine {

struct NeighborLosses {
  InputRow from, to;
  LossProduct losses;  // empty: equal rows
};

/// Pairs of inputs such that for every factor some pair attains the largest hockey-stick divergence of all pairs. If
/// kinds of pairs are too many: some pairs with a large one, and losses with a divergence at least as large as that of
/// every pair.
struct WorstNeighbors {
  std::vector<NeighborLosses> pairs;
  std::optional<LossProduct> above{};
};

/// Returns pairs of inputs that differ only in coordinates of the group. At least one pair, unless no coordinate of the
/// group has two values. Returns nullopt if more than `most_kinds` kinds of pairs have to be compared and
/// `bounded` is false, or if one component has more, or losses that are too many to list.
///
/// Requires a product channel, or one that declares classes of pairs, without symbols. Throws LimitError past the
/// budget.
std::optional<WorstNeighbors> worst_neighbors(const Model& model, const std::vector<std::size_t>& group,
                                              std::size_t most_kinds, bool bounded, Budget& budget);

/// Pairs of inputs of one component with equal losses, by an example.
struct NeighborKind {
  InputRow from, to;  // of the whole domain; coordinates of other components are 0
  /// Numbers of independent outputs, by the index of their loss distribution. Equal rows count nothing.
  std::vector<std::pair<std::size_t, std::uint64_t>> losses;
};

/// All kinds of pairs of neighbors, component by component. A pair of inputs of the whole has one kind of each
/// component, in every combination.
struct NeighborKinds {
  std::vector<std::shared_ptr<const LossDistribution>> losses;  // distinct
  struct Group {
    std::vector<std::vector<NeighborKind>> components;  // those that see a coordinate of the group
  };
  std::vector<Group> groups;
};

/// Returns the kinds of pairs of inputs that differ only within one of the groups. Nothing is composed. Returns
/// nullopt if a component has more than `most_kinds` of them.
///
/// Requires a product channel, or one that declares classes of pairs, without symbols. Throws LimitError past the
/// budget.
std::optional<NeighborKinds> kinds_of_neighbors(const Model& model, const std::vector<std::vector<std::size_t>>& groups,
                                                std::size_t most_kinds, Budget& budget);

/// Returns the differences in number between inputs that differ only within the group.
std::vector<std::uint64_t> offsets_of(const Domain& domain, const std::vector<std::size_t>& group);

/// Visits every ordered pair of different inputs that differ only within the group.
template <typename Visit>
void for_pairs_within(const Domain& domain, const std::vector<std::size_t>& group, const Visit& visit) {
  const std::vector<std::uint64_t> offsets = offsets_of(domain, group);
  for (std::uint64_t from = 0; from < domain.inputs(); ++from) {
    std::uint64_t base = from;
    for (const std::size_t i : group) base -= domain.digit(from, i) * domain.stride(i);
    for (const std::uint64_t offset : offsets) {
      if (base + offset != from) visit(from, base + offset);
    }
  }
}

}  // namespace oddsbound::engine
