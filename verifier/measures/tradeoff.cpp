#include "verifier/measures/tradeoff.h"

#include <algorithm>
#include <optional>
#include <set>

#include "verifier/exact/decimal.h"
#include "verifier/measures/correlation.h"
#include "verifier/model/adaptive_channel.h"

namespace oddsbound::measures {

GivenInputs given_input(std::uint64_t input) { return {{input}, {Number(1)}}; }

namespace {

// One exact probability per output.
class Distribution final : public AccumulatorOf<Distribution> {
 public:
  explicit Distribution(const GivenInputs& given) : given_(given) {
    assert(!given.inputs.empty() && given.inputs.size() == given.weights.size());
    mass_ = sum_of(given.weights);
  }

  void offer(ColumnView& column) override {
    const std::span<const std::uint32_t> ranks = column.ranks();
    if (given_.inputs.size() == 1) {
      probabilities_.push_back(column.pool().value(ranks[given_.inputs[0]]));
      return;
    }
    std::vector<WeightedTerm> terms;
    for (std::size_t k = 0; k < given_.inputs.size(); ++k) {
      terms.push_back({given_.weights[k], column.pool().value(ranks[given_.inputs[k]])});
    }
    probabilities_.push_back(weighted_sum(terms) / mass_);
  }
  void take(Distribution&& later) {
    probabilities_.insert(probabilities_.end(), std::make_move_iterator(later.probabilities_.begin()),
                          std::make_move_iterator(later.probabilities_.end()));
  }
  Distribution successor() const { return {given_, mass_}; }
  std::vector<Number> finish() && { return std::move(probabilities_); }

 private:
  Distribution(const GivenInputs& given, Number mass) : given_(given), mass_(std::move(mass)) {}

  const GivenInputs& given_;
  Number mass_;
  std::vector<Number> probabilities_;
};

template <typename Contains>
GivenInputs given_those(MeasuredModel& subject, Contains contains) {
  const std::vector<Number>& weights = subject.prior().dense(subject.budget()).weights;
  GivenInputs given;
  for (std::uint64_t x = 0; x < weights.size(); ++x) {
    if (weights[x].is_zero() || !contains(x)) continue;
    given.inputs.push_back(x);
    given.weights.push_back(weights[x]);
  }
  return given;
}

}  // namespace

GivenInputs given_value(MeasuredModel& subject, std::size_t coordinate, std::uint64_t value) {
  const Domain& domain = subject.domain();
  return given_those(subject, [&](std::uint64_t x) { return domain.digit(x, coordinate) == value; });
}

GivenInputs given_label(MeasuredModel& subject, std::span<const std::uint32_t> label_of, std::uint32_t label) {
  return given_those(subject, [&](std::uint64_t x) { return label_of[x] == label; });
}

std::vector<std::vector<Number>> output_distributions(MeasuredModel& subject, const std::vector<GivenInputs>& given) {
  const Columns& columns = subject.columns();
  std::vector<Distribution> distributions(given.begin(), given.end());
  std::vector<PassClient> riders;
  for (Distribution& distribution : distributions) riders.push_back({&distribution});
  pass(columns, {0, columns.outputs()}, riders, subject.budget());
  std::vector<std::vector<Number>> result;
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (riders[k].error) std::rethrow_exception(riders[k].error);
    result.push_back(std::move(distributions[k]).finish());
  }
  return result;
}

ValueRows rows_of_values(MeasuredModel& subject, std::size_t coordinate) {
  const std::vector<Number> masses = subject.prior().marginal_weights(coordinate, subject.budget());
  ValueRows values;
  std::vector<GivenInputs> given;
  for (std::size_t v = 0; v < masses.size(); ++v) {
    if (masses[v].is_zero()) continue;
    values.values.push_back(v);
    values.masses.push_back(masses[v]);
    given.push_back(given_value(subject, coordinate, v));
  }
  values.rows = output_distributions(subject, given);
  return values;
}

std::vector<ErrorPair> tradeoff_curve(std::span<const Number> from, std::span<const Number> to) {
  std::vector<std::size_t> order;
  for (std::size_t y = 0; y < from.size(); ++y) {
    if (!from[y].is_zero() || !to[y].is_zero()) order.push_back(y);
  }
  const auto quotient = [&](std::size_t a, std::size_t b) { return compare_products(to[a], from[b], to[b], from[a]); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return quotient(a, b) > 0; });
  ErrorPair errors{Number(0), Number(1)};
  std::vector<ErrorPair> vertices;
  // Outputs that "from" never produces are rejected without type one error, so the curve then starts below (0, 1).
  if (order.empty() || !from[order[0]].is_zero()) vertices.push_back(errors);
  for (std::size_t k = 0; k < order.size(); ++k) {
    errors.type_one += from[order[k]];
    errors.type_two -= to[order[k]];
    if (k + 1 == order.size() || quotient(order[k], order[k + 1]) != 0) vertices.push_back(errors);
  }
  return vertices;
}

namespace {

// The largest ratio so far of P(z | a) to P(z | b).
class LargestShift {
 public:
  explicit LargestShift(std::vector<Number> masses) : masses_(std::move(masses)) {
    values_ = static_cast<std::size_t>(
        std::count_if(masses_.begin(), masses_.end(), [](const Number& mass) { return !mass.is_zero(); }));
  }
  bool is_infinite() const { return infinite_; }

  /// given: the values that occur with one assignment of the others, with their weights. All weights are positive,
  /// and there is at least one.
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

// Enumerates the inputs, if the prior can be held in memory.
void offer_inputs(const Domain& domain, const Prior& prior, std::size_t coordinate, LargestShift& shift,
                  Budget& budget) {
  const std::vector<Number>& weights = prior.dense(budget).weights;
  const std::uint64_t stride = domain.stride(coordinate);
  std::vector<std::pair<std::uint32_t, Number>> given;
  for (std::uint64_t first = 0; first < domain.inputs() && !shift.is_infinite(); ++first) {
    if (domain.digit(first, coordinate) != 0) continue;
    budget.check_every();
    given.clear();
    for (std::uint64_t value = 0; value < domain.values(coordinate); ++value) {
      const Number& weight = weights[first + value * stride];
      if (!weight.is_zero()) given.emplace_back(static_cast<std::uint32_t>(value), weight);
    }
    if (!given.empty()) shift.offer(given);
  }
}

// Enumerates the rows that occur.
void offer_rows(const Prior& prior, std::size_t coordinate, LargestShift& shift, Budget& budget) {
  for (const auto& [others, values] : weights_by_others(prior, coordinate, budget)) {
    budget.check_every();
    shift.offer(values);
    if (shift.is_infinite()) return;
  }
}

}  // namespace

Level prior_shift(const Domain& domain, const Prior& prior, std::size_t coordinate, Budget& budget) {
  if (prior.has_independent_coordinates() || domain.size() == 1) return Level();
  // Given its blanket, the coordinate does not affect the probabilities of the other coordinates.
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

namespace {

// log(1 + q e^level - q)
Level mixed(const Level& level, const Number& correlation) {
  if (correlation.is_zero()) return Level();
  if (level.is_infinite()) return Level::infinite();
  return Level::of_surd(Surd(Number(1) - correlation) + Surd(correlation) * level.exponential_as_surd());
}

Level sum_of_others(std::span<const Level> levels, std::size_t coordinate) {
  Level sum;
  for (std::size_t j = 0; j < levels.size(); ++j) {
    if (j != coordinate) sum = sum + levels[j];
  }
  return sum;
}

}  // namespace

Level bcdp_from_cdp(std::span<const Level> cdp, const Number& correlation, std::size_t coordinate) {
  return cdp[coordinate] + mixed(sum_of_others(cdp, coordinate), correlation);
}

Level bcdp_from_cdp_and_ldp(const Level& cdp, const Number& correlation, const Level& ldp) {
  return std::min(cdp + mixed(ldp, correlation), ldp);
}

Level proposition_4_bound(std::span<const Level> cdp, const Number& correlation, std::size_t coordinate,
                          const Level& ldp) {
  return std::min(bcdp_from_cdp(cdp, correlation, coordinate),
                  bcdp_from_cdp_and_ldp(cdp[coordinate], correlation, ldp));
}

}  // namespace oddsbound::measures
