#include "verifier/search/group_search.h"

#include <algorithm>
#include <limits>
#include <set>

#include "base/errors.h"
#include "verifier/model/witness.h"

namespace oddsbound {

std::size_t GroupSearch::KeyHash::operator()(const Key& key) const {
  std::size_t hash = key.mass.hash();
  for (const auto& [rank, weight] : key.terms) hash = (hash ^ rank) * 0x9e3779b97f4a7c15ULL + weight.hash();
  return hash;
}

GroupSearch::GroupSearch(Subject& subject, std::vector<std::uint32_t> group_of, std::vector<Number> masses)
    : subject_(subject), group_of_(std::move(group_of)), masses_(std::move(masses)) {
  filter_ =
      subject.prior().dense(subject.budget()).approximations_usable && subject.columns().pool().approximations_usable();
  slack_ = 4 * (0x1p-47 + static_cast<double>(group_of_.size()) * 0x1p-53);
  for (const Number& mass : masses_) {
    inverse_masses_.push_back(mass.is_zero() ? 0.0 : 1.0 / mass.approx());
    if (!mass.is_zero() && !(mass.approx() > 0x1p-400 && mass.approx() < 0x1p400)) filter_ = false;
  }
}

void GroupSearch::offer(std::uint64_t output, std::span<const double> sums) {
  if (!filter_) {
    survivors_.push_back({output, 0});
    return;
  }
  if (infinite_) return;
  double high = 0;
  double low = std::numeric_limits<double>::infinity();
  for (std::size_t g = 0; g < sums.size(); ++g) {
    if (inverse_masses_[g] == 0) continue;
    const double value = sums[g] * inverse_masses_[g];
    high = std::max(high, value);
    low = std::min(low, value);
  }
  if (high == 0) return;
  if (low == 0) {
    // Within the filter's range a sum is 0 only if every term is: the loss is infinite, and any such column will do.
    infinite_ = true;
    survivors_ = {{output, std::numeric_limits<double>::infinity()}};
    return;
  }
  const double ratio = high / low;
  if (ratio < threshold_) return;
  threshold_ = std::max(threshold_, ratio * (1 - slack_));
  survivors_.push_back({output, ratio});
}

void GroupSearch::list_members() {
  const std::vector<Number>& weights = subject_.prior().dense(subject_.budget()).weights;
  member_begin_.assign(masses_.size() + 1, 0);
  for (std::uint64_t x = 0; x < group_of_.size(); ++x) {
    if (!weights[x].is_zero()) ++member_begin_[group_of_[x] + 1];
  }
  for (std::size_t g = 0; g < masses_.size(); ++g) member_begin_[g + 1] += member_begin_[g];
  members_.resize(member_begin_.back());
  std::vector<std::size_t> next = member_begin_;
  for (std::uint64_t x = 0; x < group_of_.size(); ++x) {
    if (!weights[x].is_zero()) members_[next[group_of_[x]]++] = x;
  }
}

std::uint32_t GroupSearch::intern_rank(std::uint32_t rank) {
  const auto [place, added] = ranks_seen_.try_emplace(rank, static_cast<std::uint32_t>(values_.size()));
  if (added) values_.push_back(subject_.columns().pool().value(rank));
  return place->second;
}

std::uint32_t GroupSearch::value_of(std::size_t group, std::span<const std::uint32_t> column) {
  const std::vector<Number>& weights = subject_.prior().dense(subject_.budget()).weights;
  std::vector<std::pair<std::uint32_t, std::uint64_t>> entries;
  for (std::size_t m = member_begin_[group]; m < member_begin_[group + 1]; ++m) {
    entries.emplace_back(column[members_[m]], members_[m]);
  }
  std::sort(entries.begin(), entries.end());
  // A mean of equal values is that value.
  if (entries.front().first == entries.back().first) return intern_rank(entries.front().first);
  Key key{masses_[group], {}};
  for (const auto& [rank, input] : entries) {
    if (!key.terms.empty() && key.terms.back().first == rank) {
      key.terms.back().second += weights[input];
    } else {
      key.terms.emplace_back(rank, weights[input]);
    }
  }
  const auto [place, added] = sums_seen_.try_emplace(std::move(key), static_cast<std::uint32_t>(values_.size()));
  if (added) {
    std::vector<WeightedTerm> terms;
    for (const auto& [rank, weight] : place->first.terms) {
      terms.push_back({weight, subject_.columns().pool().value(rank)});
    }
    values_.push_back(weighted_sum(terms) / masses_[group]);
    subject_.budget().look();
  }
  return place->second;
}

bool GroupSearch::below(std::uint32_t a, std::uint32_t b) const { return a != b && values_[a] < values_[b]; }

bool GroupSearch::extremes(std::span<const std::uint32_t> column, std::span<const double> sums, Extreme& high,
                           Extreme& low) {
  double top = 0;
  double bottom = std::numeric_limits<double>::infinity();
  for (std::size_t g = 0; filter_ && g < groups(); ++g) {
    if (inverse_masses_[g] == 0) continue;
    top = std::max(top, sums[g] * inverse_masses_[g]);
    bottom = std::min(bottom, sums[g] * inverse_masses_[g]);
  }
  constexpr std::size_t kNone = SIZE_MAX;
  high.group = low.group = kNone;
  // Among groups of one member only the extreme ranks can be extreme values.
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
  for (std::size_t g = 0; g < groups(); ++g) {
    if (masses_[g].is_zero()) continue;
    const double value = filter_ ? sums[g] * inverse_masses_[g] : 0;
    const bool may_be_high = !filter_ || value >= top * (1 - slack_);
    const bool may_be_low = !filter_ || value * (1 - slack_) <= bottom;
    if (!may_be_high && !may_be_low) continue;
    subject_.budget().tick();
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
  return !values_[high.value].is_zero();
}

std::vector<double> GroupSearch::column_sums(std::uint64_t output) const {
  std::vector<double> scratch;
  const auto approx = subject_.columns().approx(output, scratch);
  const std::vector<double>& weights = subject_.prior().dense(subject_.budget()).approx;
  std::vector<double> sums(groups(), 0.0);
  for (std::uint64_t x = 0; x < approx.size(); ++x) sums[group_of_[x]] += weights[x] * approx[x];
  return sums;
}

GroupLevel GroupSearch::level_at(std::uint64_t output, const Extreme& high, const Extreme& low) const {
  GroupLevel result;
  result.output = output;
  result.from = high.group;
  result.to = low.group;
  result.p_from = values_[high.value];
  result.p_to = values_[low.value];
  result.level = level_between(result.p_from, result.p_to);
  return result;
}

GroupLevel GroupSearch::best() {
  list_members();
  std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
  bool found = false;
  std::uint64_t best_output = 0;
  Extreme best_high{};
  Extreme best_low{};
  std::vector<std::uint32_t> scratch;
  for (const Survivor& survivor : survivors_) {
    subject_.budget().look();
    if (filter_ && survivor.ratio < threshold_) continue;
    const auto column = subject_.columns().ranks(survivor.output, scratch);
    const std::vector<double> sums = filter_ ? column_sums(survivor.output) : std::vector<double>();
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

GroupSearch coordinate_search(Subject& subject, std::size_t coordinate) {
  const Domain& domain = subject.domain();
  std::vector<std::uint32_t> group_of(domain.inputs());
  for (std::uint64_t x = 0; x < group_of.size(); ++x) {
    group_of[x] = static_cast<std::uint32_t>(domain.digit(x, coordinate));
  }
  return GroupSearch(subject, std::move(group_of), subject.prior().marginal_weights(coordinate, subject.budget()));
}

namespace {

// The sums over every value of every coordinate at once: sum out the slowest coordinate, block by block, and fold the
// blocks into one array over the remaining coordinates. Twice as many additions as inputs, for any number of them.
class MarginalSums {
 public:
  explicit MarginalSums(const Domain& domain) : domain_(domain), joint_(domain.inputs()) {
    for (std::size_t i = 0; i < domain.size(); ++i) sums_.emplace_back(domain.values(i));
  }

  void compute(std::span<const double> weights, std::span<const double> column) {
    for (std::size_t x = 0; x < joint_.size(); ++x) joint_[x] = weights[x] * column[x];
    for (std::size_t i = 0; i < domain_.size(); ++i) {
      const std::size_t block = domain_.stride(i);
      for (std::size_t v = 0; v < sums_[i].size(); ++v) sums_[i][v] = total(joint_.data() + v * block, block);
      for (std::size_t v = 1; v < sums_[i].size(); ++v) {
        const double* source = joint_.data() + v * block;
        for (std::size_t j = 0; j < block; ++j) joint_[j] += source[j];
      }
    }
  }

  std::span<const double> of(std::size_t coordinate) const { return sums_[coordinate]; }

 private:
  static double total(const double* values, std::size_t count) {
    double parts[4] = {0, 0, 0, 0};
    std::size_t j = 0;
    for (; j + 4 <= count; j += 4) {
      for (std::size_t k = 0; k < 4; ++k) parts[k] += values[j + k];
    }
    for (; j < count; ++j) parts[0] += values[j];
    return (parts[0] + parts[1]) + (parts[2] + parts[3]);
  }

  const Domain& domain_;
  std::vector<double> joint_;
  std::vector<std::vector<double>> sums_;
};

}  // namespace

std::vector<GroupLevel> levels_of_coordinates(Subject& subject, std::span<const std::size_t> coordinates) {
  std::vector<GroupSearch> searches;
  for (const std::size_t i : coordinates) searches.push_back(coordinate_search(subject, i));
  const Columns& columns = subject.columns();
  const std::vector<double>& weights = subject.prior().dense(subject.budget()).approx;
  MarginalSums sums(subject.domain());
  std::vector<double> scratch;
  for (std::uint64_t y = 0; y < columns.outputs(); ++y) {
    subject.budget().look();
    sums.compute(weights, columns.approx(y, scratch));
    for (std::size_t c = 0; c < coordinates.size(); ++c) searches[c].offer(y, sums.of(coordinates[c]));
  }
  std::vector<GroupLevel> levels;
  for (GroupSearch& search : searches) levels.push_back(search.best());
  return levels;
}

GroupLevel level_of_partition(Subject& subject, std::vector<std::uint32_t> group_of, std::size_t groups) {
  const DenseWeights& prior = subject.prior().dense(subject.budget());
  std::vector<std::vector<WeightedTerm>> terms(groups);
  for (std::uint64_t x = 0; x < group_of.size(); ++x) terms[group_of[x]].push_back({Number(1), prior.weights[x]});
  std::vector<Number> masses;
  for (const auto& group : terms) masses.push_back(weighted_sum(group));
  GroupSearch search(subject, std::move(group_of), std::move(masses));
  const Columns& columns = subject.columns();
  std::vector<double> scratch;
  std::vector<double> sums(groups);
  for (std::uint64_t y = 0; y < columns.outputs(); ++y) {
    subject.budget().look();
    const auto approx = columns.approx(y, scratch);
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::uint64_t x = 0; x < approx.size(); ++x) {
      sums[search.group_of()[x]] += prior.approx[x] * approx[x];
    }
    search.offer(y, sums);
  }
  return search.best();
}

}  // namespace oddsbound
