#include "verifier/engine/group_exact.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>

#include "base/errors.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

namespace {

class ExactGroups {
 public:
  ExactGroups(const Channel& channel, const Columns& columns, const Prior& prior, const GroupRatios& ratios,
              Budget& budget)
      : channel_(channel),
        columns_(columns),
        prior_(prior),
        budget_(budget),
        ratios_(ratios),
        groups_(ratios.groups()) {
    list_members();
  }

  GroupLevel best();

 private:
  struct Key {
    Number mass;
    std::vector<std::pair<std::uint32_t, Number>> terms;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      std::size_t hash = key.mass.hash();
      for (const auto& [rank, weight] : key.terms) hash = (hash ^ rank) * 0x9e3779b97f4a7c15ULL + weight.hash();
      return hash;
    }
  };
  struct Extreme {
    std::size_t group;
    std::uint32_t value;  // index into values_
  };

  void list_members();
  std::uint32_t value_of(std::size_t group, std::span<const std::uint32_t> column);
  std::uint32_t intern_rank(std::uint32_t rank);
  bool below(std::uint32_t a, std::uint32_t b) const;
  // Finds the groups with the largest and the smallest exact value in a column. Returns false if all groups are
  // zero there.
  bool extremes(std::span<const std::uint32_t> column, std::span<const double> sums, Extreme& high, Extreme& low);
  // If both sides are the same group, replaces one side by another group of equal value, if there is one.
  void separate(std::span<const std::uint32_t> column, Extreme& high, Extreme& low);
  GroupLevel level_at(std::uint64_t output, const Extreme& high, const Extreme& low) const;

  const Channel& channel_;
  const Columns& columns_;
  const Prior& prior_;
  Budget& budget_;
  const GroupRatios& ratios_;
  const GroupRatios::Groups& groups_;
  std::vector<std::size_t> member_begin_;
  std::vector<std::uint64_t> members_;  // inputs of positive weight, by group
  std::vector<Number> values_;
  std::unordered_map<Key, std::uint32_t, KeyHash> sums_seen_;
  std::unordered_map<std::uint32_t, std::uint32_t> ranks_seen_;
};

void ExactGroups::list_members() {
  const std::vector<Number>& weights = prior_.dense(budget_).weights;
  member_begin_.assign(groups_.size() + 1, 0);
  for (std::uint64_t x = 0; x < groups_.group_of.size(); ++x) {
    if (!weights[x].is_zero()) ++member_begin_[groups_.group_of[x] + 1];
  }
  for (std::size_t g = 0; g < groups_.size(); ++g) member_begin_[g + 1] += member_begin_[g];
  members_.resize(member_begin_.back());
  std::vector<std::size_t> next = member_begin_;
  for (std::uint64_t x = 0; x < groups_.group_of.size(); ++x) {
    if (!weights[x].is_zero()) members_[next[groups_.group_of[x]]++] = x;
  }
}

std::uint32_t ExactGroups::intern_rank(std::uint32_t rank) {
  const auto [place, added] = ranks_seen_.try_emplace(rank, static_cast<std::uint32_t>(values_.size()));
  if (added) values_.push_back(columns_.pool().value(rank));
  return place->second;
}

std::uint32_t ExactGroups::value_of(std::size_t group, std::span<const std::uint32_t> column) {
  const std::vector<Number>& weights = prior_.dense(budget_).weights;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> entries;
  entries.reserve(member_begin_[group + 1] - member_begin_[group]);
  for (std::size_t m = member_begin_[group]; m < member_begin_[group + 1]; ++m) {
    entries.emplace_back(column[members_[m]], members_[m]);
  }
  std::sort(entries.begin(), entries.end());
  // The mean of equal values is that value.
  if (entries.front().first == entries.back().first) return intern_rank(entries.front().first);
  Key key{groups_.masses[group], {}};
  key.terms.reserve(entries.size());
  for (const auto& [rank, input] : entries) {
    if (!key.terms.empty() && key.terms.back().first == rank) {
      key.terms.back().second += weights[input];
    } else {
      key.terms.emplace_back(rank, weights[input]);
    }
  }
  const auto [place, added] = sums_seen_.try_emplace(std::move(key), static_cast<std::uint32_t>(values_.size()));
  if (added) {
    const ValuePool& pool = columns_.pool();
    std::vector<FractionTerm> terms;
    terms.reserve(place->first.terms.size());
    for (const auto& [rank, weight] : place->first.terms) terms.push_back(pool.term(weight, rank));
    values_.push_back(weighted_sum(terms) / groups_.masses[group]);
    budget_.check();
  }
  return place->second;
}

bool ExactGroups::below(std::uint32_t a, std::uint32_t b) const { return a != b && values_[a] < values_[b]; }

bool ExactGroups::extremes(std::span<const std::uint32_t> column, std::span<const double> sums, Extreme& high,
                           Extreme& low) {
  double top = 0;
  double bottom = std::numeric_limits<double>::infinity();
  for (std::size_t g = 0; groups_.filter && g < groups_.size(); ++g) {
    if (groups_.inverse_masses[g] == 0) continue;
    const double value = sums[g] * groups_.inverse_masses[g];
    if (groups_.direction.may_be_from(g)) top = std::max(top, value);
    if (groups_.direction.may_be_to(g)) bottom = std::min(bottom, value);
  }
  constexpr std::size_t kNone = SIZE_MAX;
  high.group = low.group = kNone;
  // Among groups of one member, only those of extreme rank can have an extreme value.
  std::size_t single_high = kNone;
  std::size_t single_low = kNone;
  const auto take_high = [&](std::size_t g) {
    const std::uint32_t value = value_of(g, column);
    if (high.group == kNone || below(high.value, value)) high = {g, value};
  };
  const auto take_low = [&](std::size_t g) {
    const std::uint32_t value = value_of(g, column);
    if (low.group == kNone || !below(low.value, value)) low = {g, value};
  };
  const auto rank = [&](std::size_t g) { return column[members_[member_begin_[g]]]; };
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    if (groups_.masses[g].is_zero()) continue;
    const double value = groups_.filter ? sums[g] * groups_.inverse_masses[g] : 0;
    const bool may_be_high =
        groups_.direction.may_be_from(g) && (!groups_.filter || value >= top * (1 - groups_.slack));
    const bool may_be_low =
        groups_.direction.may_be_to(g) && (!groups_.filter || value * (1 - groups_.slack) <= bottom);
    if (!may_be_high && !may_be_low) continue;
    budget_.check_every();
    if (member_begin_[g + 1] - member_begin_[g] == 1) {
      if (may_be_high && (single_high == kNone || rank(g) > rank(single_high))) single_high = g;
      if (may_be_low && (single_low == kNone || rank(g) <= rank(single_low))) single_low = g;
      continue;
    }
    if (may_be_high) take_high(g);
    if (may_be_low) take_low(g);
  }
  if (single_high != kNone) take_high(single_high);
  if (single_low != kNone) take_low(single_low);
  if (high.group == low.group) separate(column, high, low);
  return !values_[high.value].is_zero();
}

void ExactGroups::separate(std::span<const std::uint32_t> column, Extreme& high, Extreme& low) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const bool as_low = groups_.direction.allows(high.group, g);
    if (groups_.masses[g].is_zero() || (!as_low && !groups_.direction.allows(g, low.group))) continue;
    const std::uint32_t value = value_of(g, column);
    if (below(value, high.value) || below(high.value, value)) continue;
    (as_low ? low : high) = {g, value};
    return;
  }
}

GroupLevel ExactGroups::level_at(std::uint64_t output, const Extreme& high, const Extreme& low) const {
  GroupLevel result;
  result.from = high.group;
  result.to = low.group;
  result.attain({channel_.split(output), values_[high.value], values_[low.value]});
  return result;
}

GroupLevel ExactGroups::best() {
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  bool found = false;
  std::uint64_t best_output = 0;
  Extreme best_high{};
  Extreme best_low{};
  std::vector<std::uint32_t> scratch;
  std::vector<double> approx, sums;
  const std::vector<double>& weights = prior_.dense(budget_).approx;
  for (const GroupRatios::Survivor& survivor : ratios_.survivors()) {
    budget_.check();
    if (!ratios_.may_be_best(survivor)) continue;
    const auto column = columns_.ranks(survivor.output, scratch);
    if (groups_.filter) groups_.sum(weights, columns_.approx(survivor.output, column, approx), sums);
    Extreme high{};
    Extreme low{};
    if (!extremes(column, sums, high, low)) continue;
    if (values_[low.value].is_zero()) return level_at(survivor.output, high, low);
    if (!seen.emplace(high.value, low.value).second) continue;
    if (!found || compare_products(values_[high.value], values_[best_low.value], values_[best_high.value],
                                   values_[low.value]) > 0) {
      found = true;
      best_output = survivor.output;
      best_high = high;
      best_low = low;
    }
  }
  if (!found) throw ModelError("no output has positive probability");
  return level_at(best_output, best_high, best_low);
}

}  // namespace

GroupLevel exact_best(const Channel& channel, const Columns& columns, const Prior& prior, const GroupRatios& ratios,
                      Budget& budget) {
  return ExactGroups(channel, columns, prior, ratios, budget).best();
}

GroupRatios::GroupRatios(MeasuredModel& subject, const Partition& partition, const AllowedPairs& direction) {
  const DenseWeights& prior = subject.prior().dense(subject.budget());
  auto groups = std::make_shared<Groups>();
  if (partition.coordinates().size() == 1) groups->coordinate = partition.coordinates()[0];
  groups->group_of = partition.labels();
  if (groups->coordinate) {
    groups->masses = subject.prior().marginal_weights(*groups->coordinate, subject.budget());
  } else {
    std::vector<std::vector<WeightedTerm>> terms(partition.size());
    for (std::uint64_t x = 0; x < prior.weights.size(); ++x) {
      terms[groups->group_of[x]].push_back({Number(1), prior.weights[x]});
    }
    for (const auto& group : terms) groups->masses.push_back(weighted_sum(group));
  }
  groups->direction = direction;
  groups->filter = prior.approximations_usable && subject.columns().pool().approximations_usable();
  groups->slack = 4 * (0x1p-47 + static_cast<double>(groups->group_of.size()) * 0x1p-53);
  for (const Number& mass : groups->masses) {
    groups->inverse_masses.push_back(mass.is_zero() ? 0.0 : 1.0 / mass.approx());
    if (!mass.is_zero() && !(mass.approx() > 0x1p-400 && mass.approx() < 0x1p400)) groups->filter = false;
  }
  groups_ = std::move(groups);
}

void GroupRatios::Groups::sum(std::span<const double> weights, std::span<const double> entries,
                              std::vector<double>& sums) const {
  sums.assign(size(), 0);
  for (std::uint64_t x = 0; x < entries.size(); ++x) sums[group_of[x]] += weights[x] * entries[x];
}

void GroupRatios::offer(std::uint64_t output, std::span<const double> sums) {
  assert(survivors_.empty() || survivors_.back().output < output);
  if (!groups_->filter) {
    survivors_.push_back({output, 0});
    return;
  }
  if (infinite_) return;
  const std::vector<double>& inverse_masses = groups_->inverse_masses;
  double high = 0;
  double low = std::numeric_limits<double>::infinity();
  for (std::size_t g = 0; g < sums.size(); ++g) {
    if (inverse_masses[g] == 0) continue;
    const double value = sums[g] * inverse_masses[g];
    if (groups_->direction.may_be_from(g)) high = std::max(high, value);
    if (groups_->direction.may_be_to(g)) low = std::min(low, value);
  }
  if (high == 0) return;
  if (low == 0) {
    // In the filter's range a sum is 0 only if every term is 0. So the level is infinite, and any such column
    // attains it.
    infinite_ = true;
    survivors_ = {{output, std::numeric_limits<double>::infinity()}};
    return;
  }
  const double ratio = high / low;
  if (ratio < threshold_) return;
  threshold_ = std::max(threshold_, ratio * (1 - groups_->slack));
  survivors_.push_back({output, ratio});
}

void GroupRatios::merge(GroupRatios&& later) {
  assert(groups_ == later.groups_ || groups_->group_of == later.groups_->group_of);
  if (infinite_) return;
  if (later.infinite_) {
    *this = std::move(later);
    return;
  }
  threshold_ = std::max(threshold_, later.threshold_);
  std::erase_if(survivors_, [&](const Survivor& survivor) { return !may_be_best(survivor); });
  for (const Survivor& survivor : later.survivors_) {
    if (may_be_best(survivor)) survivors_.push_back(survivor);
  }
}

std::vector<std::uint64_t> GroupRatios::sufficient_outputs() const {
  std::vector<std::uint64_t> outputs;
  for (const Survivor& survivor : survivors_) {
    if (infinite_ || may_be_best(survivor)) outputs.push_back(survivor.output);
  }
  return outputs;
}

GroupRatios GroupRatios::successor() const {
  GroupRatios ratios(groups_);
  // infinite_ is not passed on: columns after an infinite quotient need not be searched.
  ratios.threshold_ = threshold_;
  return ratios;
}

}  // namespace oddsbound::engine
