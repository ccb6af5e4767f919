#include "reports/estimate_result.h"

#include <fmt/format.h>

#include "reports/fields.h"
#include "reports/level_fields.h"
#include "reports/report.h"
#include "specs/spec_error.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::reports {

void describe(FieldWriter& fields, Estimate& estimate) {
  fields.field("target", estimate.target);
  if (estimate.exact) {
    const DecimalBounds bounds = decimal_bounds(*estimate.exact);
    fields.field("value", *estimate.exact);
    fields.derived("lower", bounds.lower);
    fields.derived("upper", bounds.upper);
  } else {
    fields.field("value", estimate.value);
  }
  fields.field("standard_error", estimate.standard_error);
}

namespace {

// An exact number next to its decimals.
struct WithDecimals {
  static nlohmann::ordered_json write(const Number& number) {
    const DecimalBounds bounds = decimal_bounds(number);
    return {{"value", written(number)}, {"lower", bounds.lower}, {"upper", bounds.upper}};
  }
};

}  // namespace

void describe(FieldWriter& fields, MarginalEstimates& marginal) {
  fields.field("coordinates", marginal.coordinates);
  fields.field("estimates", marginal.estimates);
  fields.field("unbiased", marginal.unbiased);
  fields.where(marginal.unbiased == false, "bias", marginal.bias);
  fields.as<WithDecimals>("mean_squared_error", marginal.mean_squared_error);
}

void describe(FieldWriter& fields, NotEstimated& missing) {
  fields.field("coordinate", missing.coordinate);
  fields.field("reason", missing.reason);
}

void describe(FieldWriter& fields, EstimateResult& result) {
  fields.field("file", result.file);
  fields.field("name", result.name);
  fields.field("outputs", result.outputs);
  fields.derived("targets", result.by_marginals() ? "marginals" : result.shares ? "shares" : "means");
  fields.where(result.assumed_uniform, "assumed_uniform", result.assumed_uniform);
  fields.where(result.confidential, "confidential", result.confidential);
  fields.where(!result.open.empty(), "open", result.open);
  if (result.by_marginals()) {
    fields.field("marginals", result.marginals);
    fields.field("not_estimated", result.not_estimated);
    return;
  }
  fields.field("estimates", result.estimates);
  if (result.continuous) return;
  fields.field("unbiased", result.unbiased);
  fields.where(result.unbiased == false, "bias", result.bias);
  fields.as<WithDecimals>("mean_squared_error", result.mean_squared_error);
}

std::string to_json(const EstimateResult& result) { return document_of(result); }

namespace {

std::string estimate_line(const Estimate& estimate) {
  return fmt::format("  {:<24} {:>12.6f}  +- {:.6f}\n", printable(estimate.target), estimate.value,
                     estimate.standard_error);
}

// Whether the estimates are unbiased, and the expected error.
std::string check_lines(const EstimateResult& result, std::optional<bool> unbiased, const std::string& bias,
                        const std::optional<Number>& error) {
  std::string text;
  if (!unbiased && !result.open.empty()) {
    text += "  not known whether the estimator is unbiased: a limit was reached\n";
  } else if (!unbiased) {
    text += "  the channel is too large to check the estimator against it\n";
  } else if (*unbiased) {
    text += "  unbiased: checked against the channel, exactly\n";
  } else {
    text += "  biased: " + bias + "\n";
  }
  if (error) {
    const std::string inputs =
        result.assumed_uniform ? "that are all equally likely, as the spec has no prior" : "from the prior";
    text += "  mean squared error, summed, for inputs " + inputs + ": " + decimal_bounds(*error).upper +
            (result.rounded ? " (rounded up)" : "") + "\n";
  }
  return text;
}

std::string text_marginals(const EstimateResult& result) {
  std::string text;
  for (const MarginalEstimates& marginal : result.marginals) {
    std::string names;
    for (const std::string& name : marginal.coordinates) names += (names.empty() ? "" : ", ") + printable(name);
    text += fmt::format("{}: shares of {} from {} outputs\n", printable(result.name), names, result.outputs);
    for (const Estimate& estimate : marginal.estimates) text += estimate_line(estimate);
    text += check_lines(result, marginal.unbiased, marginal.bias, marginal.mean_squared_error);
  }
  for (const NotEstimated& missing : result.not_estimated) {
    text += fmt::format("{}: nothing about {}: {}\n", printable(result.name), printable(missing.coordinate),
                        missing.reason);
  }
  return text;
}

std::string text_of_targets(const EstimateResult& result) {
  if (result.by_marginals()) return text_marginals(result);
  std::string text = fmt::format("{}: {} from {} outputs\n", printable(result.name),
                                 result.shares ? "shares of the inputs" : "means of the coordinates", result.outputs);
  for (const Estimate& estimate : result.estimates) text += estimate_line(estimate);
  if (result.continuous) return text;
  return text + check_lines(result, result.unbiased, result.bias, result.mean_squared_error);
}

}  // namespace

std::string text_estimates(const EstimateResult& result) {
  const std::string text = text_of_targets(result);
  return result.open.empty() ? text : text + "  not all is known: " + result.open + "\n";
}

void describe(FieldWriter& fields, Coefficient& coefficient) {
  fields.field("feature", coefficient.feature);
  fields.field("value", coefficient.value);
}

void describe(FieldWriter& fields, LeastSquaresResult& result) {
  fields.field("file", result.file);
  fields.field("name", result.name);
  fields.field("label", result.label);
  fields.field("radius", result.radius);
  fields.field("outputs", result.outputs);
  fields.field("coefficients", result.coefficients);
  fields.field("length", result.length);
  fields.field("gain", result.gain);
  fields.field("least_eigenvalue", result.least_eigenvalue);
}

std::string to_json(const LeastSquaresResult& result) { return document_of(result); }

std::string text_least_squares(const LeastSquaresResult& result) {
  std::string text = fmt::format("{}: {} predicted by the other coordinates, from {} outputs\n", printable(result.name),
                                 printable(result.label), result.outputs);
  for (const Coefficient& coefficient : result.coefficients) {
    text += fmt::format("  {:<24} {:>12.6f}\n", printable(coefficient.feature), coefficient.value);
  }
  text +=
      fmt::format("  length {:.6f}, {} {:g}\n", result.length,
                  result.on_the_sphere() ? "the longest that is allowed:" : "less than the longest that is allowed,",
                  result.radius);
  text += fmt::format("  the estimated mean of (prediction - label)^2 / 2 is {:.6f} below that of predicting 0\n",
                      result.gain);
  if (result.least_eigenvalue < 0) {
    text += fmt::format("  noise outweighs the features' second moments (least eigenvalue {:.6f}): take more outputs\n",
                        result.least_eigenvalue);
  }
  return text;
}

}  // namespace oddsbound::reports
