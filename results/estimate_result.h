// What collected outputs say about the inputs: estimates with how sure they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "specs/json_document.h"
#include "verifier/exact/number.h"

namespace oddsbound::results {

struct Estimate {
  std::string target;
  std::optional<Number> exact;  // from counts; averages of continuous outputs are rounded
  double value = 0;
  double standard_error = 0;  // from the spread of the outputs' weights; rounded
};

struct EstimateResult {
  std::string file;
  std::string name;
  bool continuous = false;  // averages of continuous outputs, about which nothing below is known
  bool shares = true;       // of the inputs; otherwise means of the coordinates
  std::uint64_t outputs = 0;
  std::vector<Estimate> estimates;
  /// E[estimate] = truth was checked as an identity; none if the channel is too large for that.
  std::optional<bool> unbiased;
  std::string bias;  // of a biased one: where
  /// The sum of the estimates' mean squared errors if the inputs come from the spec's prior; none without a prior, or
  /// if the channel is too large.
  std::optional<Number> mean_squared_error;
};

std::string to_json(const EstimateResult& result);
/// Throws SpecError for what is no such document.
EstimateResult estimates_from_json(const JsonDocument& document, Budget& budget);

std::string text_estimates(const EstimateResult& result);

}  // namespace oddsbound::results
