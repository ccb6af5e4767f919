// Questions about levels between groups of inputs that one pass over the columns answers: between the values of
// coordinates (BCDP) and between the labels of a secret. The pass leaves few outputs, which are then compared
// exactly (group_exact.h).
#pragma once

#include "base/bytes.h"
#include "verifier/engine/group_exact.h"

namespace oddsbound::engine {

class GroupSums;

/// For each of the partitions, the level between its labels. A non-empty `direction` requires exactly one partition.
struct BetweenLabels {
  std::vector<Partition> partitions;
  AllowedPairs direction{};
  using Accumulator = GroupSums;
  Bytes as_bytes() const;
  std::unique_ptr<Accumulator> begin(MeasuredModel& subject) const;
  friend bool operator==(const BetweenLabels&, const BetweenLabels&) = default;
};
/// The same for the values of coordinates.
BetweenLabels between_values(const Domain& domain, const std::vector<std::size_t>& coordinates,
                             const AllowedPairs& direction = {});

/// The sums over every value of every coordinate. For each coordinate, slowest first: sum every block, then fold
/// the blocks into one array over the remaining coordinates. About two additions per input, for any number of
/// coordinates.
class MarginalSums {
 public:
  explicit MarginalSums(const Domain& domain);
  void compute(std::span<const double> weights, std::span<const double> column);
  /// Returns one for later columns, which takes over the memory.
  MarginalSums successor();
  /// Returns the sums of the last computation, per value.
  std::span<const double> of(std::size_t coordinate) const { return sums_[coordinate]; }

 private:
  const Domain& domain_;
  std::vector<double> joint_;
  std::vector<std::vector<double>> sums_;
};

class GroupSums final : public AccumulatorOf<GroupSums> {
 public:
  GroupSums(std::span<const double> weights, MarginalSums marginals, std::vector<GroupRatios> ratios);
  void offer(ColumnView& column) override;
  bool is_saturated() const override;
  std::optional<std::vector<std::uint64_t>> sufficient_outputs() const override { return telling_of_all(ratios_); }
  void take(GroupSums&& later);
  GroupSums successor();
  std::vector<GroupLevel> finish(MeasuredModel& subject) const;

 private:
  std::span<const double> weights_;
  MarginalSums marginals_;
  std::vector<GroupRatios> ratios_;  // per partition of the question
  std::vector<double> sums_;         // per label of one partition
};

}  // namespace oddsbound::engine
