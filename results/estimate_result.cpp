#include "results/estimate_result.h"

#include <fmt/format.h>

#include "results/document.h"
#include "results/fields.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::results {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

template <typename Fields>
void describe(Fields& fields, Estimate& estimate) {
  fields.object("an estimate");
  fields.field("target", estimate.target);
  if constexpr (Fields::kReads) {
    const JsonView value = fields.members().require("value");
    if (value.is_string()) estimate.exact = read_number(value, fields.context());
    estimate.value = estimate.exact ? estimate.exact->approx() : result_double(value, "a number");
  } else if (estimate.exact) {
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

Json error_json(const std::optional<Number>& error) {
  if (!error) return nullptr;
  const DecimalBounds bounds = decimal_bounds(*error);
  return {{"value", error->to_string()}, {"lower", bounds.lower}, {"upper", bounds.upper}};
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, EstimateResult& result) {
  fields.object("estimates");
  fields.field("file", result.file);
  fields.field("name", result.name);
  fields.field("outputs", result.outputs);
  bool means = !result.shares;
  fields.word("targets", means, {"shares", "means"});
  result.shares = !means;
  fields.field("estimates", result.estimates);
  if constexpr (Fields::kReads) {
    const auto& members = fields.members().members();
    result.continuous = std::none_of(members.begin(), members.end(),
                                     [](const JsonView::Member& member) { return member.key.text() == "unbiased"; });
  }
  if (result.continuous) return;
  fields.field("unbiased", result.unbiased);
  fields.where(result.unbiased == false, "bias", result.bias);
  if constexpr (Fields::kReads) {
    if (const auto error = fields.members().find("mean_squared_error")) {
      result.mean_squared_error = read_number(ResultObject(*error, "an error").require("value"), fields.context());
    }
  } else {
    fields.derived("mean_squared_error", error_json(result.mean_squared_error));
  }
}

std::string to_json(const EstimateResult& result) { return document_of(result); }

EstimateResult estimates_from_json(const JsonDocument& document, Budget& budget) {
  return read_document<EstimateResult>(document, budget);
}

namespace {

std::string estimate_line(const Estimate& estimate) {
  return fmt::format("  {:<24} {:>12.6f}  +- {:.6f}\n", printable(estimate.target), estimate.value,
                     estimate.standard_error);
}

}  // namespace

std::string text_estimates(const EstimateResult& result) {
  std::string text = fmt::format("{}: {} from {} outputs\n", printable(result.name),
                                 result.shares ? "shares of the inputs" : "means of the coordinates", result.outputs);
  for (const Estimate& estimate : result.estimates) text += estimate_line(estimate);
  if (result.continuous) return text;
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

}  // namespace oddsbound::results
