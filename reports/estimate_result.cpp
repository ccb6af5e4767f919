#include "reports/estimate_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "base/errors.h"
#include "reports/fields.h"
#include "reports/level_fields.h"
#include "reports/publishable.h"
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
  fields.where(estimate.projected.has_value(), "projected", estimate.projected);
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

void describe(FieldWriter& fields, ExpectedDistance& distance) {
  // A confidential table is in the lower bound as well, which is not published.
  fields.where(distance.at_least > 0, "lower", distance.at_least);
  fields.field("upper", distance.at_most);
}

void describe(FieldWriter& fields, PeopleFor& people) {
  fields.derived("total_variation", written(people.distance));
  fields.where(people.too_few > 0, "too_few", people.too_few);
  fields.field("enough", people.enough);
  fields.where(people.by_bound.has_value(), "bound", people.bound);
  fields.where(people.by_bound.has_value(), "enough_by_bound", people.by_bound);
}

void describe(FieldWriter& fields, TheoryBound& bound) {
  const std::vector<std::string> words{"mean_squared_error", "total_variation", "prediction"};
  fields.word("of", bound.of, words);
  fields.field("source", bound.source);
  fields.field("value", bound.value);
  fields.field("has_constant", bound.has_constant);
}

void describe(FieldWriter& fields, MarginalEstimates& marginal) {
  fields.field("coordinates", marginal.coordinates);
  fields.field("estimates", marginal.estimates);
  fields.field("unbiased", marginal.unbiased);
  fields.where(marginal.unbiased == false, "bias", marginal.bias);
  fields.as<WithDecimals>("mean_squared_error", marginal.mean_squared_error);
  fields.where(marginal.total_variation.has_value(), "total_variation", marginal.total_variation);
  fields.where(marginal.people_for.has_value(), "people_for", marginal.people_for);
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
  fields.where(!result.theory.empty(), "theory", result.theory);
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
  fields.where(result.total_variation.has_value(), "total_variation", result.total_variation);
  fields.where(result.people_for.has_value(), "people_for", result.people_for);
}

std::string to_json(const EstimateResult& result) { return document_of(result); }

// The nearest point of the simplex is max(0, value - shift) for the shift with which these have the sum 1.
std::vector<double> nearest_distribution(std::vector<double> values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0, shift = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double here = (sum - 1) / static_cast<double>(i + 1);
    if (sorted[i] > here) shift = here;
  }
  for (double& value : values) value = std::clamp(value - shift, 0.0, 1.0);
  return values;
}

namespace {

void project_group(std::vector<Estimate>& estimates) {
  std::vector<double> values;
  for (const Estimate& one : estimates) values.push_back(one.value);
  values = nearest_distribution(std::move(values));
  for (std::size_t i = 0; i < values.size(); ++i) estimates[i].projected = values[i];
}

}  // namespace

void project(EstimateResult& result) {
  if (!result.by_marginals() && !result.shares) {
    throw ModelError("shares are projected to the range from 0 to 1, and these estimates are means");
  }
  if (!result.open.empty()) return;
  project_group(result.estimates);
  for (MarginalEstimates& marginal : result.marginals) project_group(marginal.estimates);
}

namespace {

// Two significant digits of the smallest error, but four to nine after the point.
int digits_after_point(const std::vector<Estimate>& estimates) {
  double least = std::numeric_limits<double>::infinity();
  for (const Estimate& one : estimates) {
    if (one.standard_error > 0) least = std::min(least, one.standard_error);
  }
  constexpr int kFewest = 4, kMost = 9;
  return std::isfinite(least) ? std::clamp(1 - static_cast<int>(std::floor(std::log10(least))), kFewest, kMost)
                              : kFewest;
}

using EstimateRows = std::vector<std::vector<std::string>>;

// In characters, not in bytes.
std::size_t shown_width(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// The first `left` columns are aligned to the left.
std::string in_columns(const EstimateRows& rows, std::size_t left) {
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], shown_width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blank(widths[i] - shown_width(row[i]), ' ');
      line += "  " + (i < left ? row[i] + blank : blank + row[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

// A row per estimate, a column per coordinate; a mean has the name of its coordinate. Intervals: estimate +- 1.96
// standard errors.
std::string estimate_table(const std::vector<std::string>& coordinates, const std::vector<Estimate>& estimates) {
  if (estimates.empty()) return "";
  const int digits = digits_after_point(estimates);
  const auto decimal = [&](double value) {
    const std::string text = fmt::format("{:.{}f}", value, digits);
    return text.find_first_not_of("-0.") == std::string::npos && text[0] == '-' ? text.substr(1) : text;
  };
  const bool shares = !estimates[0].values.empty();
  const bool projected = estimates[0].projected.has_value();
  EstimateRows rows(1);
  if (shares) {
    for (const std::string& name : coordinates) rows[0].push_back(printable(name));
  } else {
    rows[0].emplace_back("coordinate");
  }
  const std::size_t left = rows[0].size();
  if (projected) rows[0].emplace_back("projected");
  for (const char* title : {shares ? "share" : "mean", "95 % interval"}) rows[0].emplace_back(title);
  for (const Estimate& one : estimates) {
    std::vector<std::string>& row = rows.emplace_back();
    if (shares) {
      for (const std::string& value : one.values) row.push_back(printable(value));
    } else {
      row.push_back(printable(one.target));
    }
    if (one.projected) row.push_back(decimal(*one.projected));
    constexpr double kQuantile = 1.959964;  // of the normal distribution, at 97.5 %
    double lower = one.value - kQuantile * one.standard_error, upper = one.value + kQuantile * one.standard_error;
    if (projected) {
      lower = std::clamp(lower, 0.0, 1.0);
      upper = std::clamp(upper, 0.0, 1.0);
    }
    row.push_back(decimal(one.value));
    row.push_back(decimal(lower) + " to " + decimal(upper));
  }
  return in_columns(rows, left);
}

constexpr int kErrorDigits = 6;

// Rounded outward.
std::string six_digits(double value, bool up) {
  return value > 0 ? rounded_decimal(fmt::format("{:.17g}", value), kErrorDigits, up) : "0";
}

// Rounded to the nearest.
std::string six_digits(double value) {
  return value > 0 ? rounded_decimal(fmt::format("{:.{}e}", value, kErrorDigits - 1), kErrorDigits, false) : "0";
}

// "1234 people are enough, 1200 are not".
std::string people_lines(const PeopleFor& people, bool rounded) {
  std::string text = fmt::format("  for an expected total variation distance of at most {}: {} people are enough{}\n",
                                 decimal_text(people.distance), people.enough,
                                 rounded              ? " (rounded up)"
                                 : people.too_few > 0 ? fmt::format(", {} are not", people.too_few)
                                                      : "");
  if (people.by_bound) {
    text += fmt::format("  for every distribution of the inputs: {} people are enough ({})\n", *people.by_bound,
                        people.bound);
  }
  return text;
}

// Whether the estimates are unbiased, and the expected error. `shown`: the result, or a marginal of it.
template <typename Shown>
std::string check_lines(const EstimateResult& result, const Shown& shown) {
  const std::optional<bool>& unbiased = shown.unbiased;
  const std::string& bias = shown.bias;
  const std::optional<Number>& error = shown.mean_squared_error;
  const std::string inputs =
      result.assumed_uniform ? "that are all equally likely, as the spec has no prior" : "from the prior";
  std::string text = shown.people_for ? people_lines(*shown.people_for, result.rounded) : "";
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
    text += "  mean squared error, summed, for inputs " + inputs + ": " + decimal_bounds(*error).upper +
            (result.rounded ? " (rounded up)" : "") + "\n";
  }
  if (shown.total_variation) {
    const ExpectedDistance& distance = *shown.total_variation;
    text += "  expected total variation distance, for inputs " + inputs + ": " +
            (result.rounded ? fmt::format("at most {} (rounded up)", distance.at_most)  // three digits
                            : six_digits(distance.at_least, false) + " to " + six_digits(distance.at_most, true)) +
            "\n";
  }
  return text;
}

std::string text_marginals(const EstimateResult& result) {
  std::string text;
  for (const MarginalEstimates& marginal : result.marginals) {
    std::string names;
    for (const std::string& name : marginal.coordinates) names += (names.empty() ? "" : ", ") + printable(name);
    text += fmt::format("{}: shares of {} from {} outputs\n", printable(result.name), names,
                        marginal.people_for ? marginal.people_for->enough : result.outputs);
    text += estimate_table(marginal.coordinates, marginal.estimates);
    text += check_lines(result, marginal);
  }
  for (const NotEstimated& missing : result.not_estimated) {
    text += fmt::format("{}: nothing about {}: {}\n", printable(result.name), printable(missing.coordinate),
                        missing.reason);
  }
  return text;
}

std::string theory_lines(const std::vector<TheoryBound>& bounds) {
  std::string text;
  for (const TheoryBound& bound : bounds) {
    const char* of = bound.of == TheoryBound::Of::kSquaredError     ? "mean squared error, summed"
                     : bound.of == TheoryBound::Of::kTotalVariation ? "expected total variation distance"
                                                                    : "prediction above the best, expected";
    text +=
        bound.has_constant
            ? fmt::format("  {}, for all inputs: at most {} ({})\n", of, six_digits(bound.value, true), bound.source)
            : fmt::format("  {}, up to a constant factor: {} ({})\n", of, six_digits(bound.value), bound.source);
  }
  return text;
}

std::string text_of_targets(const EstimateResult& result) {
  if (result.by_marginals()) return text_marginals(result);
  std::string text = fmt::format("{}: {} from {} outputs\n", printable(result.name),
                                 result.shares ? "shares of the inputs" : "means of the coordinates", result.outputs);
  text += estimate_table(result.coordinates, result.estimates);
  if (result.continuous) return text;
  return text + check_lines(result, result);
}

}  // namespace

std::string text_estimates(const EstimateResult& result) {
  const std::string text = text_of_targets(result);
  const auto is_projected = [](const std::vector<Estimate>& some) { return !some.empty() && some[0].projected; };
  std::string note;
  if (is_projected(result.estimates) || (result.by_marginals() && is_projected(result.marginals[0].estimates))) {
    note = "  projected: the nearest distribution, with shares from 0 to 1 and sum 1; it is biased\n";
  }
  return text + theory_lines(result.theory) + note +
         (result.open.empty() ? "" : "  not all is known: " + result.open + "\n");
}

void describe(FieldWriter& fields, LeastSquaresResult& result) {
  fields.field("file", result.file);
  fields.field("name", result.name);
  fields.field("label", result.label);
  const std::vector<std::string> regions{"ball", "box", "simplex"};
  fields.word("region", result.region, regions);
  fields.where(result.region == Region::kBall, "radius", result.radius);
  fields.field("outputs", result.outputs);
  const auto is_off = [](const Coefficient& one) { return one.center != 0; };
  const bool off_center = std::any_of(result.coefficients.begin(), result.coefficients.end(), is_off);
  fields.list("coefficients", result.coefficients, [&](FieldWriter& each, Coefficient& coefficient) {
    each.field("feature", coefficient.feature);
    each.field("value", coefficient.value);
    each.where(off_center, "center", coefficient.center);
    each.where(result.region == Region::kBox, "lower", coefficient.lower);
    each.where(result.region == Region::kBox, "upper", coefficient.upper);
  });
  fields.field("length", result.length);
  fields.field("gain", result.gain);
  fields.field("least_eigenvalue", result.least_eigenvalue);
  fields.where(result.above_minimum > 0, "above_minimum", result.above_minimum);
  fields.where(!result.theory.empty(), "theory", result.theory);
}

std::string to_json(const LeastSquaresResult& result) { return document_of(result); }

namespace {

std::string region_line(const LeastSquaresResult& result) {
  if (result.region == Region::kSimplex) return "  coefficients of at least 0 with sum 1\n";
  if (result.region == Region::kBox) {
    std::string text;
    for (const Coefficient& one : result.coefficients) {
      const double value = one.value;
      if (value != one.lower && value != one.upper) continue;
      text += fmt::format("{}{} at its {} end {:g}", text.empty() ? "  in the box: " : ", ", printable(one.feature),
                          value == one.upper ? "upper" : "lower", value);
    }
    return text.empty() ? "  inside the box\n" : text + "\n";
  }
  const bool centered = std::all_of(result.coefficients.begin(), result.coefficients.end(),
                                    [](const Coefficient& one) { return one.center == 0; });
  return fmt::format(
      "  {} {:.6f}, {} {:g}\n", centered ? "length" : "distance from the center", result.length,
      result.on_the_sphere()
          ? (centered ? "the longest that is allowed:" : "the greatest that is allowed:")
          : (centered ? "less than the longest that is allowed," : "less than the greatest that is allowed,"),
      result.radius);
}

}  // namespace

std::string text_least_squares(const LeastSquaresResult& result) {
  std::string text = fmt::format("{}: {} predicted by the other coordinates, from {} outputs\n", printable(result.name),
                                 printable(result.label), result.outputs);
  for (const Coefficient& coefficient : result.coefficients) {
    text += fmt::format("  {:<24} {:>12.6f}\n", printable(coefficient.feature), coefficient.value);
  }
  text += region_line(result);
  text += fmt::format("  the estimated mean of (prediction - label)^2 / 2 is {:.6f} {} that of predicting 0\n",
                      std::abs(result.gain), result.gain < 0 ? "above" : "below");
  if (result.above_minimum > 0) {
    text += fmt::format("  it is at most {:.1e} above its minimum\n", result.above_minimum);
  }
  if (result.least_eigenvalue < 0) {
    text += fmt::format("  noise outweighs the features' second moments (least eigenvalue {:.6f}): take more outputs\n",
                        result.least_eigenvalue);
  }
  return text + theory_lines(result.theory);
}

}  // namespace oddsbound::reports
