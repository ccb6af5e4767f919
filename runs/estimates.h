// What collected outputs say about the inputs: unbiased estimates, exact, with how sure they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "specs/collected.h"
#include "specs/spec.h"

namespace oddsbound {

struct Estimate {
  std::string target;
  Number value;           // exact, from the counts
  double standard_error;  // from the spread of the outputs' weights; rounded
};

struct EstimateResult {
  std::string file;
  std::string name;
  bool shares = true;  // of the inputs; otherwise means of the coordinates
  std::uint64_t outputs = 0;
  std::vector<Estimate> estimates;
  /// E[estimate] = truth was checked as an identity; none if the channel is too large for that.
  std::optional<bool> unbiased;
  std::string bias;  // of a biased one: where
  /// The sum of the estimates' mean squared errors if the inputs come from the spec's prior; none without a prior, or
  /// if the channel is too large.
  std::optional<Number> mean_squared_error;
};

/// Throws ModelError if no unbiased estimator exists.
EstimateResult estimate(const Spec& spec, const CollectedOutputs& collected, Budget& budget);

/// What `outputs` outputs will be worth, before any is collected: no estimates, only the error to expect.
EstimateResult plan(const Spec& spec, std::uint64_t outputs, Budget& budget);

/// Of continuous outputs: their averages, rounded.
struct VectorEstimate {
  std::string target;
  double value;
  double standard_error;
};
std::vector<VectorEstimate> estimate(const Spec& spec, const CollectedVectors& collected);

std::string json_estimates(const EstimateResult& result);
std::string text_estimates(const EstimateResult& result);
std::string json_estimates(const Spec& spec, std::uint64_t outputs, const std::vector<VectorEstimate>& estimates);
std::string text_estimates(const Spec& spec, std::uint64_t outputs, const std::vector<VectorEstimate>& estimates);

}  // namespace oddsbound
