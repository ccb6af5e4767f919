#include "verifier/measures/heat_maps.h"

#include <array>

#include "verifier/measures/correlation.h"
#include "verifier/measures/tradeoff.h"
#include "verifier/model/dense_channel.h"
#include "verifier/ratios/factor_losses.h"

namespace oddsbound::measures {

namespace {

constexpr std::uint64_t kMostSides = 48;
constexpr std::uint64_t kMostCells = std::uint64_t{1} << 20;

std::vector<std::vector<Level>> losses_of(const Channel& channel, Budget& budget) {
  LossValues values;
  const FactorLosses losses(channel, values, budget);
  std::vector<std::vector<Level>> levels(channel.inputs());
  for (std::uint64_t a = 0; a < channel.inputs(); ++a) {
    for (std::uint64_t b = 0; b < channel.inputs(); ++b) {
      const std::uint32_t loss = losses.loss(a, b);
      levels[a].push_back(loss == LossValues::kInfinite ? Level::infinite()
                                                        : Level::of_exponential(values.value(loss)));
    }
  }
  return levels;
}

// The channel that sees one coordinate only, the others being drawn from the prior given its value.
PairwiseLosses losses_of_values(MeasuredModel& subject, std::size_t coordinate) {
  const std::vector<Number> masses = subject.prior().marginal_weights(coordinate, subject.budget());
  const Coordinate& named = subject.domain().coordinate(coordinate);
  PairwiseLosses result;
  PoolBuilder builder;
  std::vector<GivenInputs> given;
  for (std::uint64_t value = 0; value < masses.size(); ++value) {
    if (masses[value].is_zero()) continue;
    result.sides.emplace_back(named.values[value]);
    given.push_back(given_value(subject, coordinate, value));
  }
  for (const std::vector<Number>& distribution : output_distributions(subject, given)) {
    for (const Number& p : distribution) builder.add(p);
  }
  const auto channel = DenseChannel::from_rows(result.sides.size(), numbered_labels(subject.channel().outputs()),
                                               std::move(builder), subject.budget());
  result.loss = losses_of(*channel, subject.budget());
  return result;
}

std::vector<std::vector<Level>> losses_by_factors(MeasuredModel& subject) {
  const PairLosses losses(subject);
  const std::uint64_t inputs = subject.domain().inputs();
  std::vector<std::vector<Level>> levels(inputs);
  for (std::uint64_t a = 0; a < inputs; ++a) {
    for (std::uint64_t b = 0; b < inputs; ++b) {
      subject.budget().look();
      levels[a].push_back(losses.loss(a, b));
    }
  }
  return levels;
}

std::vector<std::vector<Number>> correlations(MeasuredModel& subject) {
  const Domain& domain = subject.domain();
  std::vector<std::vector<Number>> result(domain.size(), std::vector<Number>(domain.size(), Number(0)));
  for (std::size_t i = 0; i < domain.size(); ++i) {
    for (std::size_t j = 0; j < domain.size(); ++j) {
      if (i == j) continue;
      const std::array<std::size_t, 2> both{i, j};
      const Prior marginal = subject.prior().marginal(both, subject.budget());
      result[i][j] = correlation(domain.restricted_to(both), marginal, 0, subject.budget());
    }
  }
  return result;
}

}  // namespace

bool small_enough_to_draw(const Channel& channel, const Limits& limits) {
  const std::uint64_t most = std::min(kMostCells, limits.max_cells);
  return channel.outputs() <= most && channel.input_numbers() <= most / channel.outputs();
}

std::optional<PairwiseLosses> input_losses(MeasuredModel& subject) {
  if (subject.channel().input_numbers() > kMostSides) return std::nullopt;
  PairwiseLosses result;
  for (std::uint64_t x = 0; x < subject.domain().inputs(); ++x) result.sides.emplace_back(subject.domain().tuple(x));
  result.loss =
      subject.channel().factors().empty() ? losses_of(subject.channel(), subject.budget()) : losses_by_factors(subject);
  return result;
}

HeatMaps measure_heat_maps(MeasuredModel& subject) {
  HeatMaps pairs;
  const bool drawn = small_enough_to_draw(subject.channel(), subject.budget().limits());
  if (drawn) pairs.inputs = input_losses(subject);
  if (!subject.model().prior) return pairs;
  for (std::size_t i = 0; i < subject.domain().size(); ++i) {
    pairs.values.emplace_back();
    if (drawn && subject.domain().values(i) <= kMostSides) pairs.values.back() = losses_of_values(subject, i);
  }
  if (subject.domain().size() <= kMostSides) pairs.correlation = correlations(subject);
  return pairs;
}

}  // namespace oddsbound::measures
