// The largest quotient P(y | group a) / P(y | group b) over outputs y and groups of inputs weighted by a prior:
// the level of BCDP (groups: the values of a coordinate) and of a secret (groups: its labels). Two passes:
//
// 1. GroupRatios holds the quotients of every column in doubles. A sum of n non-negative terms, each with a
//    relative error of at most 2^-48, has a relative error e <= 2^-47 + n * 2^-53. A quotient of two sums has 2e, so
//    a column is discarded only if its best quotient is below (1 - 4e) times the largest.
//
// 2. exact_best() compares the remaining columns exactly.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/exact/level.h"

namespace oddsbound::engine {

/// The outputs that may attain the largest quotient.
class GroupRatios {
 public:
  /// A partition of the inputs, whose labels are the groups. The weight of an input is its weight under the prior.
  struct Groups {
    std::optional<std::size_t> coordinate;  // whose values the groups are
    std::vector<std::uint32_t> group_of;    // per input
    std::vector<Number> masses;             // per group; not all zero
    std::vector<double> inverse_masses;     // per group; 0 for groups without mass
    AllowedPairs direction;                 // some group of each side has mass
    bool filter;                            // whether doubles may discard columns
    double slack;                           // quotients whose relative difference exceeds this are ordered by doubles

    std::size_t size() const { return masses.size(); }
    /// Sets the sum of weight * entry over each group.
    void sum(std::span<const double> weights, std::span<const double> entries, std::vector<double>& sums) const;
  };
  struct Survivor {
    std::uint64_t output;
    double ratio;
  };

  GroupRatios(MeasuredModel& subject, const Partition& partition, const AllowedPairs& direction);

  /// `sums`: the sum of weight * P(y | x) over each group, in doubles. Not read if doubles may not discard
  /// columns.
  void offer(std::uint64_t output, std::span<const double> sums);
  bool is_infinite() const { return infinite_; }
  void merge(GroupRatios&& later);
  GroupRatios successor() const;

  const Groups& groups() const { return *groups_; }
  std::span<const Survivor> survivors() const { return survivors_; }
  /// Returns the outputs that may attain the largest quotient, in order.
  std::vector<std::uint64_t> sufficient_outputs() const;
  bool may_be_best(const Survivor& survivor) const { return !groups_->filter || survivor.ratio >= threshold_; }

 private:
  explicit GroupRatios(std::shared_ptr<const Groups> groups) : groups_(std::move(groups)) {}

  std::shared_ptr<const Groups> groups_;
  double threshold_ = 0;
  bool infinite_ = false;
  std::vector<Survivor> survivors_;  // in order of outputs
};

// Second pass: of the outputs that doubles could not discard, sums exactly the groups that may be extreme. Groups
// with the same mass that add the same weights to the same values are summed once.

/// Returns the largest quotient of the remaining outputs by exact comparison; the first of equal ones. If no quotient
/// of these sides is >= 1, which only parts of a channel have, the level shows nothing. Throws LimitError if the budget
/// is exceeded.
GroupLevel exact_best(const Channel& channel, const Columns& columns, const Prior& prior, const GroupRatios& ratios,
                      Budget& budget);

}  // namespace oddsbound::engine
