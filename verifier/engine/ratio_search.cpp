#include "verifier/engine/ratio_search.h"

#include <algorithm>
#include <numeric>

namespace oddsbound::engine {

namespace {

// Each approximation has a relative error of at most 2^-50, so a quotient of three has at most 2^-48. Two
// quotients that differ by more than 2^-47 are ordered correctly; 2^-45 leaves a margin.
constexpr double kSlack = 1.0 - 0x1p-45;

}  // namespace

RatioSearch::RatioSearch(const ValuePool& pool, std::span<const Number> bounds)
    : pool_(pool), bound_approx_(nullptr), filter_(pool.approximations_usable()) {
  auto known = std::make_shared<Bounds>();
  known->exact.assign(bounds.begin(), bounds.end());
  if (known->exact.empty()) known->exact.push_back(Number(1));
  for (const Number& bound : known->exact) {
    known->approx.push_back(bound.approx());
    if (!(known->approx.back() < 0x1p150)) filter_ = false;
  }
  bounds_ = std::move(known);
  bound_approx_ = bounds_->approx.data();
}

void RatioSearch::merge(RatioSearch&& later) {
  assert(&pool_ == &later.pool_ && bounds_->exact == later.bounds_->exact);
  if (infinite_) return;
  if (later.infinite_) {
    infinite_ = true;
    infinite_at_ = later.infinite_at_;
    return;
  }
  threshold_ = std::max(threshold_, later.threshold_);
  for (const Candidate& candidate : later.candidates_) {
    if (!reaches_threshold(candidate) || !seen_.try_emplace(candidate, candidates_.size()).second) continue;
    candidates_.push_back(candidate);
    if (candidates_.size() >= prune_at_) prune();
  }
}

std::vector<std::uint64_t> RatioSearch::sufficient_outputs() const {
  if (infinite_) return {infinite_at_.place.output};
  std::vector<std::uint64_t> outputs;
  for (const Candidate& candidate : candidates_) {
    if (reaches_threshold(candidate)) outputs.push_back(candidate.place.output);
  }
  std::sort(outputs.begin(), outputs.end());
  outputs.erase(std::unique(outputs.begin(), outputs.end()), outputs.end());
  return outputs;
}

RatioSearch RatioSearch::successor() const {
  RatioSearch search(pool_, bounds_, filter_);
  search.threshold_ = threshold_;
  return search;
}

void RatioSearch::record(std::uint32_t high, std::uint32_t low, Place place, std::size_t bound) {
  last_high_ = high;
  last_low_ = low;
  last_bound_ = bound;
  const Candidate candidate{high, low, bound, place};
  if (pool_.has_zero() && low == 0) {
    if (high == 0) return;
    infinite_ = true;
    infinite_at_ = candidate;
    return;
  }
  if (!seen_.try_emplace(candidate, candidates_.size()).second) return;
  candidates_.push_back(candidate);
  if (!filter_) return;
  const double ratio = pool_.approx(high) / (pool_.approx(low) * bound_approx_[bound]);
  threshold_ = std::max(threshold_, ratio * kSlack);
  if (candidates_.size() >= prune_at_) prune();
}

bool RatioSearch::reaches_threshold(const Candidate& c) const {
  return can_matter(pool_.approx(c.high), pool_.approx(c.low), c.bound);
}

void RatioSearch::prune() {
  std::erase_if(candidates_, [&](const Candidate& c) { return !reaches_threshold(c); });
  seen_.clear();
  for (std::size_t i = 0; i < candidates_.size(); ++i) seen_.emplace(candidates_[i], i);
  prune_at_ = std::max(prune_at_, 2 * candidates_.size());
}

bool RatioSearch::best(Best& result, Budget& budget) const {
  if (infinite_) {
    result = {infinite_at_.high, infinite_at_.low, infinite_at_.bound, infinite_at_.place, true};
    return true;
  }
  const Candidate* best = nullptr;
  for (const Candidate& candidate : candidates_) {
    if (!reaches_threshold(candidate)) continue;
    budget.check_every();
    if (best == nullptr ||
        compare_products(pool_.value(candidate.high), pool_.value(best->low) * bounds_->exact[best->bound],
                         pool_.value(best->high), pool_.value(candidate.low) * bounds_->exact[candidate.bound]) > 0) {
      best = &candidate;
    }
  }
  if (best == nullptr) return false;
  result = {best->high, best->low, best->bound, best->place, false};
  return true;
}

namespace {

// Smaller relative growth counts as rounding.
constexpr double kGrowth = 1e-9;

double share(const std::vector<double>& column, std::uint32_t own) {
  return column[own] / std::accumulate(column.begin(), column.end(), 0.0);
}

}  // namespace

// A row of one of the two groups, with the product of its nonzero entries along the path, and the number of zero
// entries.
struct LocalSearch::Weighed {
  const SeenRow* row;
  double product;
  std::size_t zeros = 0;

  void add(double entry) { entry == 0 ? static_cast<void>(++zeros) : static_cast<void>(product *= entry); }
  void remove(double entry) { entry == 0 ? static_cast<void>(--zeros) : static_cast<void>(product /= entry); }
};

// Returns, for each factor, the output with the largest share for the row: entries are comparable within an output
// only.
Path LocalSearch::likeliest_outputs(const SeenRow& row) const {
  Path path(suffixes_.depths(), 0);
  for (std::size_t d = 0; d < path.size(); ++d) {
    const std::uint32_t own = row.classes[suffixes_.factor(d)];
    const auto& entries = suffixes_.entries(d);
    for (std::uint32_t y = 1; y < entries.size(); ++y) {
      if (share(entries[y], own) > share(entries[path[d]], own)) path[d] = y;
    }
  }
  return path;
}

LocalSearch::Found LocalSearch::climb(const SeenRow& start, std::uint32_t from, std::uint32_t to,
                                      const std::function<void()>& look) const {
  Path path = likeliest_outputs(start);
  const double shares = (seen_.masses[to] / seen_.masses[from]).approx();
  std::vector<Weighed> rows;
  for (const SeenRow& row : seen_.rows) {
    if (row.group != from && row.group != to) continue;
    Weighed& weighed = rows.emplace_back(Weighed{&row, row.weight.approx()});
    for (std::size_t d = 0; d < path.size(); ++d) {
      weighed.add(suffixes_.entries(d)[path[d]][row.classes[suffixes_.factor(d)]]);
    }
  }
  double best = 0;
  bool improved = true;
  while (improved) {
    improved = false;
    for (std::size_t d = 0; d < path.size(); ++d) {
      look();
      const std::size_t f = suffixes_.factor(d);
      const auto& entries = suffixes_.entries(d);
      std::vector<double> sums_from(seen_.factors[f].classes, 0);
      std::vector<double> sums_to(seen_.factors[f].classes, 0);
      for (Weighed& weighed : rows) {
        const std::uint32_t seen = weighed.row->classes[f];
        weighed.remove(entries[path[d]][seen]);
        if (weighed.zeros == 0) (weighed.row->group == from ? sums_from : sums_to)[seen] += weighed.product;
      }
      for (std::uint32_t y = 0; y < entries.size(); ++y) {
        const double p_from = std::inner_product(sums_from.begin(), sums_from.end(), entries[y].begin(), 0.0);
        const double p_to = std::inner_product(sums_to.begin(), sums_to.end(), entries[y].begin(), 0.0);
        const double ratio = p_from == 0 ? 0 : p_from / p_to * shares;
        if (!(ratio > best * (1 + kGrowth))) continue;  // also skips NaN
        best = ratio;
        path[d] = y;
        improved = true;
      }
      for (Weighed& weighed : rows) weighed.add(entries[path[d]][weighed.row->classes[f]]);
    }
  }
  return {std::move(path), best};
}

std::vector<const SeenRow*> LocalSearch::heaviest(std::uint32_t group, std::size_t most) const {
  std::vector<const SeenRow*> rows;
  for (const SeenRow& row : seen_.rows) {
    if (row.group == group) rows.push_back(&row);
  }
  most = std::min(most, rows.size());
  std::partial_sort(
      rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(most), rows.end(),
      [](const SeenRow* a, const SeenRow* b) { return a->weight == b->weight ? a < b : b->weight < a->weight; });
  rows.resize(most);
  return rows;
}

}  // namespace oddsbound::engine
