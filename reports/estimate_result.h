// What collected outputs say about the inputs: estimates with how sure they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "specs/json_document.h"
#include "verifier/exact/number.h"

namespace oddsbound::reports {

struct Estimate {
  std::string target;
  std::optional<Number> exact;  // from counts; averages of continuous outputs are rounded
  double value = 0;
  double standard_error = 0;  // from the spread of the outputs' weights; rounded
};

/// The shares of what some coordinates are together.
struct MarginalEstimates {
  std::vector<std::string> coordinates;
  std::vector<Estimate> estimates;
  std::optional<bool> unbiased;  // as below
  std::string bias;
  std::optional<Number> mean_squared_error;
};

/// A coordinate about which the outputs tell nothing that could be estimated.
struct NotEstimated {
  std::string coordinate;
  std::string reason;
};

struct EstimateResult {
  std::string file;
  std::string name;
  bool continuous = false;  // averages of continuous outputs, about which nothing below is known
  bool shares = true;       // of the inputs; otherwise means of the coordinates
  std::uint64_t outputs = 0;
  std::vector<Estimate> estimates;
  /// In place of `estimates`, where some coordinates were asked for, or the inputs are too many or cannot be told.
  std::vector<MarginalEstimates> marginals{};
  std::vector<NotEstimated> not_estimated{};
  /// E[estimate] = truth was checked as an identity; none if the channel is too large for that.
  std::optional<bool> unbiased;
  std::string bias;  // of a biased one: where
  /// The sum of the estimates' mean squared errors if the inputs come from the spec's prior; none without a prior, or
  /// if the channel is too large.
  std::optional<Number> mean_squared_error;
  /// The spec has no prior, and errors are those of inputs that are all equally likely.
  bool assumed_uniform = false;
  bool confidential = false;  // the errors depend on a confidential table
  bool rounded = false;       // they are rounded up, for others

  /// A limit that was reached before all of this was known; empty: none was.
  std::string open{};

  bool by_marginals() const { return !marginals.empty(); }
  /// 3 where a limit left something open.
  int exit_status() const { return open.empty() ? 0 : 3; }
};

std::string to_json(const EstimateResult& result);
/// Throws SpecError for what is no such document.
EstimateResult estimates_from_json(const JsonDocument& document, Budget& budget);

std::string text_estimates(const EstimateResult& result);

// A linear prediction of one coordinate by the others, from answers that say each twice.

struct Coefficient {
  std::string feature;
  double value = 0;
};

struct LeastSquaresResult {
  std::string file;
  std::string name;
  std::string label;
  double radius = 0;
  std::uint64_t outputs = 0;
  std::vector<Coefficient> coefficients;
  double length = 0;            // of the coefficients
  double gain = 0;              // by how much the estimated mean of (prediction - label)^2 / 2 is below that of 0
  double least_eigenvalue = 0;  // of the estimated second moments of the features; those of people have none below 0

  bool on_the_sphere() const { return length >= radius * (1 - 1e-9); }
};

std::string to_json(const LeastSquaresResult& result);
/// Throws SpecError for what is no such document.
LeastSquaresResult least_squares_from_json(const JsonDocument& document, Budget& budget);

std::string text_least_squares(const LeastSquaresResult& result);

}  // namespace oddsbound::reports
