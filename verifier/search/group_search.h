// The largest quotient P(y given group a) / P(y given group b) over outputs y and groups of inputs weighted by a prior:
// the level of BCDP (groups are the values of a coordinate) and of a secret (groups are its labels).
//
// First pass: the group sums of every column in doubles. A sum of n non-negative terms, each within 2^-48 of its true
// value, is within 2^-47 + n * 2^-53 of the truth, so columns whose best quotient falls short of the best one by more
// than twice that are discarded. Second pass: the groups that may be extreme in a surviving column are summed exactly;
// groups that add the same weights to the same values are summed once.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "verifier/exact/level.h"
#include "verifier/search/subject.h"

namespace oddsbound {

struct GroupLevel {
  Level level;
  std::uint64_t output = 0;
  std::size_t from = 0;
  std::size_t to = 0;
  Number p_from;
  Number p_to;
};

class GroupSearch {
 public:
  /// group_of: the group of every input; masses: the prior's weight of every group (not all zero).
  GroupSearch(Subject& subject, std::vector<std::uint32_t> group_of, std::vector<Number> masses);

  /// First pass: the sums of weight * P(y given x) over each group, in doubles.
  void offer(std::uint64_t output, std::span<const double> sums);
  std::size_t groups() const { return masses_.size(); }
  std::span<const std::uint32_t> group_of() const { return group_of_; }

  /// Second pass.
  GroupLevel best();

 private:
  struct Key {
    Number mass;
    std::vector<std::pair<std::uint32_t, Number>> terms;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  struct Extreme {
    std::size_t group;
    std::uint32_t value;  // index into values_
  };
  struct Survivor {
    std::uint64_t output;
    double ratio;
  };

  void list_members();
  std::uint32_t value_of(std::size_t group, std::span<const std::uint32_t> column);
  std::uint32_t intern_rank(std::uint32_t rank);
  bool below(std::uint32_t a, std::uint32_t b) const;
  /// The exact largest and smallest group of a column; false if all groups are zero there.
  bool extremes(std::span<const std::uint32_t> column, std::span<const double> sums, Extreme& high, Extreme& low);
  std::vector<double> column_sums(std::uint64_t output) const;
  GroupLevel level_at(std::uint64_t output, const Extreme& high, const Extreme& low) const;

  Subject& subject_;
  std::vector<std::uint32_t> group_of_;
  std::vector<Number> masses_;
  std::vector<double> inverse_masses_;  // 0 for groups without mass
  bool filter_;
  double slack_;
  double threshold_ = 0;
  bool infinite_ = false;
  std::vector<Survivor> survivors_;

  std::vector<std::size_t> member_begin_;
  std::vector<std::uint64_t> members_;  // inputs of positive weight, group after group
  std::vector<Number> values_;
  std::unordered_map<Key, std::uint32_t, KeyHash> sums_seen_;
  std::unordered_map<std::uint32_t, std::uint32_t> ranks_seen_;
};

/// The search over the values of coordinate i.
GroupSearch coordinate_search(Subject& subject, std::size_t coordinate);

/// Runs both passes for the given coordinates, in one scan over the columns.
std::vector<GroupLevel> levels_of_coordinates(Subject& subject, std::span<const std::size_t> coordinates);

/// Runs both passes for one partition of the inputs.
GroupLevel level_of_partition(Subject& subject, std::vector<std::uint32_t> group_of, std::size_t groups);

}  // namespace oddsbound
