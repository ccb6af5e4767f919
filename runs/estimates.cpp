#include "runs/estimates.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "base/errors.h"
#include "results/json_parts.h"
#include "specs/spec_error.h"
#include "verifier/exact/decimal.h"

namespace oddsbound {

namespace {

using Json = nlohmann::ordered_json;

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
  return {estimator.target(j), value, std::sqrt(variance / total)};
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
  const std::uint64_t pairs = channel.inputs() <= kMost ? channel.inputs() * estimator.targets() : kMost + 1;
  if (pairs > kMost || channel.outputs() > kMost / std::max<std::uint64_t>(1, pairs)) return result;
  result.unbiased = is_unbiased(estimator, channel, budget, result.bias);
  if (!spec.model.prior) return result;
  result.mean_squared_error =
      mean_squared_error(estimator, channel, *spec.model.prior, Number(static_cast<std::int64_t>(outputs)), budget);
  return result;
}

Json head(const std::string& file, const std::string& name, std::uint64_t outputs, const std::string& of) {
  Json json = json_head();
  json["file"] = file;
  json["name"] = name;
  json["outputs"] = outputs;
  json["targets"] = of;
  return json;
}

std::string line(const std::string& target, double value, double error) {
  return fmt::format("  {:<24} {:>12.6f}  +- {:.6f}\n", printable(target), value, error);
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

std::vector<VectorEstimate> estimate(const Spec& spec, const CollectedVectors& collected) {
  std::vector<VectorEstimate> result;
  const auto total = static_cast<double>(collected.total);
  for (std::size_t i = 0; i < collected.sum.size(); ++i) {
    const double mean = collected.sum[i] / total;
    const double variance = std::max(0.0, collected.square[i] / total - mean * mean);
    result.push_back({spec.model.domain.coordinate(i).name, mean, std::sqrt(variance / total)});
  }
  return result;
}

std::string json_estimates(const EstimateResult& result) {
  Json json = head(result.file, result.name, result.outputs, result.shares ? "shares" : "means");
  json["estimates"] = Json::array();
  for (const Estimate& estimate : result.estimates) {
    const DecimalBounds bounds = decimal_bounds(estimate.value);
    json["estimates"].push_back({{"target", estimate.target},
                                 {"value", estimate.value.to_string()},
                                 {"lower", bounds.lower},
                                 {"upper", bounds.upper},
                                 {"standard_error", estimate.standard_error}});
  }
  json["unbiased"] = result.unbiased ? Json(*result.unbiased) : Json(nullptr);
  if (result.unbiased && !*result.unbiased) json["bias"] = result.bias;
  json["mean_squared_error"] = nullptr;
  if (result.mean_squared_error) {
    const DecimalBounds bounds = decimal_bounds(*result.mean_squared_error);
    json["mean_squared_error"] = {
        {"value", result.mean_squared_error->to_string()}, {"lower", bounds.lower}, {"upper", bounds.upper}};
  }
  return json_text(json);
}

std::string text_estimates(const EstimateResult& result) {
  std::string text = fmt::format("{}: {} from {} outputs\n", printable(result.name),
                                 result.shares ? "shares of the inputs" : "means of the coordinates", result.outputs);
  for (const Estimate& estimate : result.estimates) {
    text += line(estimate.target, estimate.value.approx(), estimate.standard_error);
  }
  if (!result.unbiased) {
    text += "  the channel is too large to check the estimator against it\n";
  } else if (*result.unbiased) {
    text += "  unbiased: checked against the channel, exactly\n";
  } else {
    text += "  biased: " + result.bias + "\n";
  }
  if (result.mean_squared_error) {
    text +=
        "  mean squared error, summed, for inputs from the prior: " + decimal_bounds(*result.mean_squared_error).upper +
        "\n";
  }
  return text;
}

std::string json_estimates(const Spec& spec, std::uint64_t outputs, const std::vector<VectorEstimate>& estimates) {
  Json json = head(spec.file, spec.name, outputs, "means");
  json["estimates"] = Json::array();
  for (const VectorEstimate& estimate : estimates) {
    json["estimates"].push_back(
        {{"target", estimate.target}, {"value", estimate.value}, {"standard_error", estimate.standard_error}});
  }
  return json_text(json);
}

std::string text_estimates(const Spec& spec, std::uint64_t outputs, const std::vector<VectorEstimate>& estimates) {
  std::string text = fmt::format("{}: means of the coordinates from {} outputs\n", printable(spec.name), outputs);
  for (const VectorEstimate& estimate : estimates)
    text += line(estimate.target, estimate.value, estimate.standard_error);
  return text;
}

}  // namespace oddsbound
