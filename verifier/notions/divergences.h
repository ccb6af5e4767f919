// Divergences between neighbors (zcdp.h, renyi.h): the pairs of inputs to measure, their witnesses, and claims.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/engine/neighbor_losses.h"
#include "verifier/exact/level.h"
#include "verifier/measures/cumulant.h"
#include "verifier/notions/notion.h"

namespace oddsbound::notions {

// Levels that are sums of logarithms, such as information and divergences of an order: exact if they are a level that
// can be written, otherwise between two decimals.
/// Returns the level in nats that a decimal states.
Level rounded_level(const std::string& decimal);

/// Returns a sum that is not 0 between decimals of this many digits. Throws LimitError past the thread's budget.
MeasuredLevel rounded_outward(std::span<const WeightedLog> sum, int digits);
/// The number of digits that are tried first.
inline constexpr int kFirstDigits = 17;

/// True if the bounds of a level do not tell whether a claim holds, or whether it is tight.
bool leaves_open(const MeasuredLevel& level, const Level& claimed);

/// Returns the sum with as many digits as decide the claim. differs: the sum is known to be another number than the
/// claimed level. Otherwise the digits are limited, and the reason says so.
MeasuredLevel refined_outward(std::span<const WeightedLog> sum, const Level& claimed, bool differs);

/// Returns the sum as an exact level if it is one, otherwise with as many digits as decide the claim.
///
/// A doubling of digits always decides the claim if the sum is rational and the claimed level has no root: a sum that
/// is not itself a level differs from every level.
MeasuredLevel level_of_logs(const std::vector<WeightedLog>& sum, const Level& claimed);

/// The compared pairs of inputs, without pairs of equal rows. Pairs with the same multiset of (p, q) over the outputs
/// are kept once, as far as 4096 remembered keys allow. The subject must outlive this object.
class RowPairs {
 public:
  /// Throws LimitError if inputs and outputs are too many to enumerate.
  RowPairs(MeasuredModel& subject, const CoordinateGroups& groups);

  std::size_t size() const { return pairs_.size(); }
  /// The outputs of a pair, with equal ones counted.
  std::vector<PairedMass> masses(std::size_t k) const;
  std::pair<InputRow, InputRow> neighbors(std::size_t k) const;
  /// An output that is possible given one input and impossible given its neighbor. If there is one, pairs are missing.
  std::optional<Witness> infinite() const;

 private:
  struct RowPair {
    std::uint64_t from = 0, to = 0;
  };
  struct Infinite {
    std::uint64_t from = 0, to = 0, output = 0;
  };

  const std::uint32_t* row(std::uint64_t x) const { return rows_.data() + x * columns_.outputs(); }
  std::vector<std::uint64_t> ranks_of(std::uint64_t from, std::uint64_t to) const;
  void offer(std::uint64_t from, std::uint64_t to, Budget& budget);

  const Columns& columns_;
  const Model& model_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> kind_;  // equal rows have the same kind
  std::unordered_set<std::uint64_t> seen_kinds_;
  std::set<std::vector<std::uint64_t>> seen_ranks_;
  std::vector<RowPair> pairs_;
  std::optional<Infinite> infinite_;
};

/// The pairs of neighbors of a product, group by group: the pairs of its components are chosen independently. No output
/// is listed. The model must outlive this object.
class PartPairs {
 public:
  PartPairs(const Model& model, engine::NeighborKinds kinds);

  static constexpr std::size_t kEqual = ~std::size_t{0};

  /// The groups with different choices of losses, without those whose pairs all have equal rows.
  std::size_t size() const { return groups_.size(); }
  /// [component][kind of pairs]: numbers of independent outputs by the index of their losses. A component whose
  /// coordinates have one value has no kinds.
  ComponentChoices choices(std::size_t k) const { return choices_in(groups_[k]); }
  /// The neighbors with these kinds of pairs, by component (any number where there are none). kEqual: with equal
  /// values.
  std::pair<InputRow, InputRow> neighbors(std::size_t k, const std::vector<std::size_t>& chosen) const;
  /// The distinct losses, by index.
  const std::vector<std::shared_ptr<const LossDistribution>>& losses() const { return kinds_.losses; }
  /// The same as masses; none for infinite losses.
  std::vector<std::vector<PairedMass>> masses() const;
  /// As of RowPairs.
  std::optional<Witness> infinite() const;

 private:
  ComponentChoices choices_in(std::size_t group) const;

  const Model& model_;
  engine::NeighborKinds kinds_;
  std::vector<std::size_t> groups_;
};

/// Neighbors with the largest product, over their independent outputs, of a number that the losses have.
struct LargestProduct {
  Number product;
  std::pair<InputRow, InputRow> neighbors;
};
/// of_losses: a number >= 1 for each of pairs.losses(). Requires pairs.size() > 0.
LargestProduct largest_product(const PartPairs& pairs, const std::vector<Number>& of_losses, Budget& budget);

/// Returns an output whose loss between two inputs is largest: each part gives an output that is possible given `from`,
/// and impossible given `to` if there is one.
InputPair worst_output(const Model& model, const InputRow& from, const InputRow& to);

/// Returns the pairs by parts if the channel has losses by parts of few kinds; nullptr if rows are to be compared.
/// Throws LimitError if the kinds are too many, and so are the outputs. composed: the losses of the parts will be
/// multiplied out, which costs more than a short list of outputs.
std::unique_ptr<const PartPairs> part_pairs(MeasuredModel& subject, const CoordinateGroups& groups,
                                            bool composed = true);

/// Returns a compared pair; equal inputs if there is none.
std::pair<InputRow, InputRow> any_neighbors(const Domain& domain, const CoordinateGroups& groups);

/// Returns a witness that compares all outputs of two inputs, by the Renyi divergence of this order.
Witness between_inputs(const Domain& domain, const std::pair<InputRow, InputRow>& inputs, Number order);

/// Returns the words for groups in keys of MeasuredModel::remember.
std::string key_of_groups(const CoordinateGroups& groups);

/// Returns the check that complains about neighbors beside levels by coordinate, and about "records" without
/// "neighbors": "record". levels: the field of the levels.
decltype(Notion::complaint) complaint_about_neighbors(const std::string& levels);

/// Decides a level, or levels by coordinate, from the divergence within groups of coordinates.
/// measure(groups, claimed) returns the level of the pairs that differ only within one of the groups.
template <typename Measure>
Decision decide_divergence(const Domain& domain, const Arguments& arguments, const std::string& levels,
                           const CoordinateGroups& compared, const Measure& measure) {
  if (const auto* level = arguments.find_if<Level>(levels)) return decide_level(measure(compared, *level), *level);
  const auto& claimed = arguments.get<CoordinateLevels>(levels);
  std::vector<MeasuredLevel> found(claimed.size());
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    if (!claimed[i]) continue;
    found[i] = measure(CoordinateGroups{{{i}}}, *claimed[i]);
    found[i].witness.update([&](Witness& witness) { witness.coordinate = domain.coordinate(i).name; });
  }
  return decide_coordinates(domain, found, claimed);
}

}  // namespace oddsbound::notions
