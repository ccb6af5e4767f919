#include "verifier/measures/composition.h"

#include <algorithm>
#include <set>

#include "verifier/measures/correlation.h"
#include "verifier/model/memoized_channel.h"

namespace oddsbound::measures {

namespace {

// The largest ratio of two masses so far, each divided by that of its value.
class LargestShift {
 public:
  explicit LargestShift(std::vector<Number> masses) : masses_(std::move(masses)) {
    values_ = static_cast<std::size_t>(
        std::count_if(masses_.begin(), masses_.end(), [](const Number& mass) { return !mass.is_zero(); }));
  }
  bool is_infinite() const { return infinite_; }

  /// The values that come with one assignment of the others, with their weights: all positive, and at least one.
  void offer(std::span<const std::pair<std::uint32_t, Number>> given) {
    infinite_ = infinite_ || given.size() < values_;
    if (infinite_ || values_ < 2) return;
    const auto less = [&](const auto& a, const auto& b) {
      return compare_products(a.second, masses_[b.first], b.second, masses_[a.first]) < 0;
    };
    const auto [least, most] = std::minmax_element(given.begin(), given.end(), less);
    const Number above = most->second * masses_[least->first];
    const Number below = least->second * masses_[most->first];
    if (compare_products(above, below_, above_, below) <= 0) return;
    above_ = above;
    below_ = below;
  }

  Level level() const { return infinite_ ? Level::infinite() : Level::of_exponential(above_ / below_); }

 private:
  std::vector<Number> masses_;
  std::size_t values_ = 0;
  Number above_ = Number(1);
  Number below_ = Number(1);
  bool infinite_ = false;
};

// Input by input, where they may be held.
void offer_inputs(const Domain& domain, const Prior& prior, std::size_t coordinate, LargestShift& shift,
                  Budget& budget) {
  const std::vector<Number>& weights = prior.dense(budget).weights;
  const std::uint64_t stride = domain.stride(coordinate);
  std::vector<std::pair<std::uint32_t, Number>> given;
  for (std::uint64_t first = 0; first < domain.inputs() && !shift.is_infinite(); ++first) {
    if (domain.digit(first, coordinate) != 0) continue;
    budget.tick();
    given.clear();
    for (std::uint64_t value = 0; value < domain.values(coordinate); ++value) {
      const Number& weight = weights[first + value * stride];
      if (!weight.is_zero()) given.emplace_back(static_cast<std::uint32_t>(value), weight);
    }
    if (!given.empty()) shift.offer(given);
  }
}

// By the rows that occur.
void offer_rows(const Prior& prior, std::size_t coordinate, LargestShift& shift, Budget& budget) {
  for (const auto& [others, values] : weights_by_others(prior, coordinate, budget)) {
    budget.tick();
    shift.offer(values);
    if (shift.is_infinite()) return;
  }
}

}  // namespace

Level prior_shift(const Domain& domain, const Prior& prior, std::size_t coordinate, Budget& budget) {
  if (prior.has_independent_coordinates() || domain.size() == 1) return Level();
  // Once its blanket is known, the others are as likely given any value.
  if (const std::vector<std::size_t> blanket = blanket_of(prior, coordinate); blanket.size() < domain.size()) {
    return prior_shift(domain.restricted_to(blanket), prior.marginal(blanket, budget), 0, budget);
  }
  LargestShift shift(prior.marginal_weights(coordinate, budget));
  if (!domain.is_countable() || domain.input_numbers() > budget.limits().max_inputs) {
    offer_rows(prior, coordinate, shift, budget);
  } else {
    offer_inputs(domain, prior, coordinate, shift, budget);
  }
  return shift.level();
}

Level composition_bound(const Level& cdp, const Level& prior_shift) { return cdp + prior_shift; }

bool has_several_runs(const Channel& channel) {
  const auto is_memoized = [](const Channel& part) {
    const auto* memoized = dynamic_cast<const MemoizedChannel*>(&part);
    return memoized != nullptr && memoized->times() > 1;
  };
  std::set<std::size_t> seen;
  for (const Factor& factor : channel.factors()) {
    if (is_memoized(*factor.channel)) return true;
    for (const std::size_t i : factor.coordinates) {
      if (!seen.insert(i).second) return true;
    }
  }
  return is_memoized(channel);
}

}  // namespace oddsbound::measures
