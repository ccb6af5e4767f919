#include "runs/estimates.h"

#include <cmath>
#include <unordered_map>

#include "base/errors.h"

namespace oddsbound::runs {

namespace {

Estimate estimate_of(const Estimator& estimator, std::uint64_t j, const CollectedOutputs& collected, Budget& budget) {
  // Weights take few values: count the outputs of each.
  std::unordered_map<Number, std::uint64_t, NumberHash> counts;
  for (const auto& [output, count] : collected.counts) {
    counts[estimator.weight(j, output)] += count;
    budget.tick();
  }
  std::vector<WeightedTerm> terms;
  double square = 0;
  for (const auto& [weight, count] : counts) {
    terms.push_back({Number(static_cast<std::int64_t>(count)), weight});
    square += static_cast<double>(count) * weight.approx() * weight.approx();
  }
  const auto total = static_cast<double>(collected.total);
  const Number value = weighted_sum(terms) / Number(static_cast<std::int64_t>(collected.total));
  const double variance = std::max(0.0, square / total - value.approx() * value.approx());
  return {estimator.target(j), value, value.approx(), std::sqrt(variance / total)};
}

EstimatorPtr estimator_of(const Spec& spec, Budget& budget) {
  if (spec.mechanism.estimator) return spec.mechanism.estimator;
  EstimatorPtr estimator = least_squares_estimator(spec.model.domain, *spec.model.channel, budget);
  if (!estimator) {
    throw ModelError(
        "no unbiased estimator exists: different distributions of the inputs give the same distribution of the "
        "outputs");
  }
  return estimator;
}

EstimateResult with_check(const Estimator& estimator, const Spec& spec, std::uint64_t outputs, Budget& budget) {
  EstimateResult result;
  result.file = spec.file;
  result.name = spec.name;
  result.shares = estimator.estimates_shares();
  result.outputs = outputs;
  const Channel& channel = *spec.model.channel;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 24;
  const std::uint64_t pairs = channel.input_numbers() <= kMost ? channel.inputs() * estimator.targets() : kMost + 1;
  if (pairs > kMost || channel.outputs() > kMost / std::max<std::uint64_t>(1, pairs)) return result;
  result.unbiased = is_unbiased(estimator, channel, budget, result.bias);
  if (!spec.model.prior) return result;
  result.mean_squared_error =
      mean_squared_error(estimator, channel, *spec.model.prior, Number(static_cast<std::int64_t>(outputs)), budget);
  return result;
}

}  // namespace

EstimateResult plan(const Spec& spec, std::uint64_t outputs, Budget& budget) {
  return with_check(*estimator_of(spec, budget), spec, outputs, budget);
}

EstimateResult estimate(const Spec& spec, const CollectedOutputs& collected, Budget& budget) {
  const EstimatorPtr estimator = estimator_of(spec, budget);
  EstimateResult result = with_check(*estimator, spec, collected.total, budget);
  for (std::uint64_t j = 0; j < estimator->targets(); ++j) {
    result.estimates.push_back(estimate_of(*estimator, j, collected, budget));
  }
  return result;
}

EstimateResult estimate(const Spec& spec, const CollectedVectors& collected) {
  EstimateResult result;
  result.file = spec.file;
  result.name = spec.name;
  result.continuous = true;
  result.shares = false;
  result.outputs = collected.total;
  const auto total = static_cast<double>(collected.total);
  for (std::size_t i = 0; i < collected.sum.size(); ++i) {
    const double mean = collected.sum[i] / total;
    const double variance = std::max(0.0, collected.square[i] / total - mean * mean);
    result.estimates.push_back({spec.model.domain.coordinate(i).name, std::nullopt, mean, std::sqrt(variance / total)});
  }
  return result;
}

}  // namespace oddsbound::runs
