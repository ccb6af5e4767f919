#include "verifier/ratios/ratio_search.h"

#include <algorithm>

namespace oddsbound::ratios {

namespace {

// Each approximation is within 2^-50 of its value, so a quotient of three of them within 2^-48; two quotients are
// told apart with certainty when they differ by more than twice that.
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

std::vector<std::uint64_t> RatioSearch::telling() const {
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
    budget.tick();
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

}  // namespace oddsbound::ratios
