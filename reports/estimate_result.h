// Estimates about the inputs from collected outputs, with standard errors; and linear predictions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verifier/exact/number.h"

namespace oddsbound::reports {

struct Estimate {
  std::string target;
  std::optional<Number> exact;  // from counts; averages of continuous outputs are rounded
  double value = 0;
  double standard_error = 0;          // from the variance of the outputs' weights; rounded
  std::vector<std::string> values{};  // of a share: the value of each coordinate
  std::optional<double> projected{};  // see project
};

/// Bounds on the expected total variation distance between the estimated shares and the distribution of the inputs;
/// proven, rounded outward.
struct ExpectedDistance {
  double at_least = 0, at_most = 0;
};

/// How many people an expected total variation distance takes.
struct PeopleFor {
  Number distance;
  std::uint64_t too_few = 0;  // are not enough
  std::uint64_t enough = 1;
  std::string bound{};  // the source of a published bound for every distribution of the inputs; empty: none is known
  std::optional<std::uint64_t> by_bound{};  // the number that it asks for
};

/// A bound of a paper on an expected error, for all inputs; rounded.
struct TheoryBound {
  enum class Of { kSquaredError, kTotalVariation, kPrediction };
  Of of = Of::kSquaredError;  // prediction: the mean of (prediction - label)^2 / 2 above its least value
  std::string source;
  double value = 0;
  bool has_constant = true;  // false: the paper leaves out a constant factor
};

/// Joint proportions of some coordinates.
struct MarginalEstimates {
  std::vector<std::string> coordinates;
  std::vector<Estimate> estimates;
  std::optional<bool> unbiased;  // as in EstimateResult
  std::string bias;
  std::optional<Number> mean_squared_error;
  std::optional<ExpectedDistance> total_variation{};
  std::optional<PeopleFor> people_for{};
};

/// A coordinate about which the outputs allow no estimate.
struct NotEstimated {
  std::string coordinate;
  std::string reason;
};

struct EstimateResult {
  std::string file;
  std::string name;
  bool continuous = false;  // averages of continuous outputs; the fields about bias and error are empty
  bool shares = true;       // proportions of the inputs; false: means of the coordinates
  std::uint64_t outputs = 0;
  std::vector<Estimate> estimates;
  std::vector<std::string> coordinates{};  // of shares of the inputs: the columns of `values`
  /// Replaces `estimates` if coordinates were requested, or the inputs are too many or not identifiable.
  std::vector<MarginalEstimates> marginals{};
  std::vector<NotEstimated> not_estimated{};
  /// Whether E[estimate] = truth, checked as an identity; nullopt if the channel is too large.
  std::optional<bool> unbiased;
  std::string bias;  // where it is biased
  /// Sum of the mean squared errors for inputs from the spec's prior. nullopt if the channel is too large.
  std::optional<Number> mean_squared_error;
  std::optional<ExpectedDistance> total_variation{};
  std::optional<PeopleFor> people_for{};
  /// Bounds of the papers for this number of outputs, if they were asked for.
  std::vector<TheoryBound> theory{};
  /// The spec has no prior; errors are for uniformly distributed inputs.
  bool assumed_uniform = false;
  bool confidential = false;  // the errors depend on a confidential table
  bool rounded = false;       // rounded up for publication

  /// The limit that was reached before all of this was known; empty: none.
  std::string open{};

  bool by_marginals() const { return !marginals.empty(); }
  /// 3 if a limit left something undecided.
  int exit_status() const { return open.empty() ? 0 : 3; }
};

std::string to_json(const EstimateResult& result);

/// The nearest values (least squares) that are at least 0 and have the sum 1.
std::vector<double> nearest_distribution(std::vector<double> values);

/// Sets `projected` of every share: the nearest distribution to the estimates (least squares), whose shares are from 0
/// to 1 with sum 1. It is biased. Estimates that a limit left incomplete have none. Throws ModelError for means.
void project(EstimateResult& result);

std::string text_estimates(const EstimateResult& result);

// A linear prediction of one coordinate from the others, based on answers that report each coordinate twice.

struct Coefficient {
  std::string feature;
  double value = 0;
  double center = 0;            // of a ball
  double lower = 0, upper = 0;  // of a box
};

/// The set of coefficients among which the best are sought.
enum class Region { kBall, kBox, kSimplex };

struct LeastSquaresResult {
  std::string file;
  std::string name;
  std::string label;
  Region region = Region::kBall;
  double radius = 0;  // of a ball
  std::uint64_t outputs = 0;
  std::vector<Coefficient> coefficients;
  double length = 0;                  // norm of the coefficients, from the center of a ball
  double gain = 0;                    // estimated decrease of E[(prediction - label)^2 / 2] from coefficients 0
  double least_eigenvalue = 0;        // of the estimated second moments of the features; the true ones are >= 0
  double above_minimum = 0;           // how far the estimated mean may be above its least value in the region
  std::vector<TheoryBound> theory{};  // see EstimateResult

  bool on_the_sphere() const { return length >= radius * (1 - 1e-9); }
};

std::string to_json(const LeastSquaresResult& result);

std::string text_least_squares(const LeastSquaresResult& result);

}  // namespace oddsbound::reports
