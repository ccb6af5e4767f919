// Questions about levels between groups of inputs that one pass over the columns answers: between the values of
// coordinates (BCDP) and between the labels of a secret. The pass leaves few outputs, which are then compared
// exactly (group_exact.h).
#pragma once

#include "base/bytes.h"
#include "verifier/engine/group_exact.h"

namespace oddsbound::engine {

class CoordinateSums;

/// For each of the coordinates, the level between its values. A non-empty `direction` requires exactly one
/// coordinate.
struct BetweenValues {
  std::vector<std::size_t> coordinates;
  AllowedPairs direction{};
  using Accumulator = CoordinateSums;
  Bytes as_bytes() const {
    return BinaryWriter().put("between values").put(coordinates).put(direction.from).put(direction.to).take();
  }
  std::unique_ptr<Accumulator> begin(MeasuredModel& subject) const;
  friend bool operator==(const BetweenValues&, const BetweenValues&) = default;
};

class LabelSums;

/// The level between the labels of the inputs: label_of[x] < labels.
struct BetweenLabels {
  std::vector<std::uint32_t> label_of;
  std::size_t labels = 0;
  AllowedPairs direction{};
  using Accumulator = LabelSums;
  Bytes as_bytes() const {
    BinaryWriter writer;
    writer.put("between labels").put(label_of).put(labels).put(direction.from).put(direction.to);
    return writer.take();
  }
  std::unique_ptr<Accumulator> begin(MeasuredModel& subject) const;
  friend bool operator==(const BetweenLabels&, const BetweenLabels&) = default;
};

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

class CoordinateSums final : public AccumulatorOf<CoordinateSums> {
 public:
  CoordinateSums(const std::vector<std::size_t>& coordinates, std::span<const double> weights, MarginalSums sums,
                 std::vector<GroupRatios> ratios);
  void offer(ColumnView& column) override;
  bool is_saturated() const override;
  std::optional<std::vector<std::uint64_t>> sufficient_outputs() const override { return telling_of_all(ratios_); }
  void take(CoordinateSums&& later);
  CoordinateSums successor();
  std::vector<GroupLevel> finish(MeasuredModel& subject) const;

 private:
  const std::vector<std::size_t>& coordinates_;
  std::span<const double> weights_;
  MarginalSums sums_;
  std::vector<GroupRatios> ratios_;  // per coordinate of the question
};

class LabelSums final : public AccumulatorOf<LabelSums> {
 public:
  LabelSums(std::span<const double> weights, GroupRatios ratios);
  void offer(ColumnView& column) override;
  bool is_saturated() const override { return ratios_.is_infinite(); }
  std::optional<std::vector<std::uint64_t>> sufficient_outputs() const override { return ratios_.sufficient_outputs(); }
  void take(LabelSums&& later) { ratios_.merge(std::move(later.ratios_)); }
  LabelSums successor() const { return {weights_, ratios_.successor()}; }
  GroupLevel finish(MeasuredModel& subject) const;

 private:
  std::span<const double> weights_;
  GroupRatios ratios_;
  std::vector<double> sums_;  // per label
};

}  // namespace oddsbound::engine
