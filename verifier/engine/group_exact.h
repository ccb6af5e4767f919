// The largest quotient P(y given group a) / P(y given group b) over outputs y and groups of inputs weighted by a prior:
// the level of BCDP (groups are the values of a coordinate) and of a secret (groups are its labels).
//
// First pass: the group sums of every column in doubles. A sum of n non-negative terms, each within 2^-48 of its true
// value, is within 2^-47 + n * 2^-53 of the truth, so columns whose best quotient falls short of the best one by more
// than twice that are discarded. What survives is compared exactly (group_search.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/exact/level.h"

namespace oddsbound::engine {

/// A partition of the inputs, each input with its weight under the prior.
struct WeightedGroups {
  std::vector<std::uint32_t> group_of;  // per input
  std::vector<Number> masses;           // per group; not all zero
  std::vector<double> inverse_masses;   // per group; 0 for groups without mass
  AllowedPairs direction;                  // some group of each side has mass
  bool filter;                          // whether doubles may discard anything
  double slack;                         // two quotients of sums that differ by more are told apart by doubles

  std::size_t size() const { return masses.size(); }
};

/// The groups that `group_of` makes, with the given masses.
std::shared_ptr<const WeightedGroups> weighted_groups(MeasuredModel& subject, std::vector<std::uint32_t> group_of,
                                                      std::vector<Number> masses, AllowedPairs direction);

/// The outputs that may show the largest quotient.
class GroupRatios {
 public:
  struct Survivor {
    std::uint64_t output;
    double ratio;
  };

  explicit GroupRatios(std::shared_ptr<const WeightedGroups> groups) : groups_(std::move(groups)) {}

  /// sums: of weight * P(y given x) over each group, in doubles; not looked at where doubles may not discard anything.
  void offer(std::uint64_t output, std::span<const double> sums);
  bool is_infinite() const { return infinite_; }
  void merge(GroupRatios&& later);
  GroupRatios successor() const;

  const WeightedGroups& groups() const { return *groups_; }
  std::span<const Survivor> survivors() const { return survivors_; }
  /// The outputs that may show it, in order.
  std::vector<std::uint64_t> sufficient_outputs() const;
  bool may_be_best(const Survivor& survivor) const { return !groups_->filter || survivor.ratio >= threshold_; }

 private:
  std::shared_ptr<const WeightedGroups> groups_;
  double threshold_ = 0;
  bool infinite_ = false;
  std::vector<Survivor> survivors_;  // in the order of outputs
};

// The second pass of a search over groups: of the outputs that doubles could not discard (group_exact.h), the groups
// that may be extreme are summed exactly; groups that add the same weights to the same values are summed once.

struct GroupLevel {
  Level level;
  std::uint64_t output = 0;
  std::size_t from = 0;
  std::size_t to = 0;
  Number p_from;
  Number p_to;
  bool shown = true;  // false: between these sides no quotient is 1 or larger, which only parts of a channel have
};

/// The best of the outputs that survived, by exact comparison; the first one among equals. Throws LimitError past the
/// budget.
GroupLevel exact_best(const Columns& columns, const Prior& prior, const GroupRatios& ratios, Budget& budget);

}  // namespace oddsbound::engine
