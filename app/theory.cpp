#include "app/theory.h"

#include <algorithm>
#include <cmath>

#include "base/errors.h"
#include "mechanisms/bcdp_mean.h"
#include "mechanisms/distance.h"

namespace oddsbound::app {

namespace {

// More than the errors of doubles, and of the weights that bcdp_mean rounds to multiples of 2^-30.
constexpr double kRoundedUp = 1 + 0x1p-20;

using Of = reports::TheoryBound::Of;

}  // namespace

std::vector<reports::TheoryBound> theory_of(const Spec& spec, std::uint64_t outputs) {
  const auto n = static_cast<double>(outputs);
  std::vector<reports::TheoryBound> bounds;
  if (const auto& steps = spec.mechanism.mean_steps) {
    const double answers = n * static_cast<double>(steps->copies);
    const double printed = mechanisms::bcdp_printed_error(steps->levels) / answers;
    bounds.push_back({Of::kSquaredError, "BCDP paper, (17) in Theorem 2",
                      std::min(printed, static_cast<double>(steps->levels.size())), false});
    bounds.push_back({Of::kSquaredError, "(17) with constants, corrected for levels above 1, not projected",
                      mechanisms::bcdp_error_bound(steps->levels) / answers * kRoundedUp, true});
  }
  if (const auto& bound = spec.mechanism.distance_bound) {
    bounds.push_back(
        {Of::kTotalVariation, bound->source, mechanisms::distance_by_bound(bound->squares, outputs), true});
  }
  if (bounds.empty()) {
    throw ModelError(
        "no bound of the papers is known for this mechanism: they are about bcdp_mean, bcdp_mean_l2, "
        "high_low_hadamard_response and block_hadamard_response, alone, with levels above 0");
  }
  return bounds;
}

std::vector<reports::TheoryBound> theory_of_prediction(const Spec& spec, std::size_t label, double reach,
                                                       std::uint64_t outputs) {
  const auto& steps = spec.mechanism.mean_steps;
  if (!steps) throw ModelError("no bound of the papers is known for this mechanism");
  const auto n = static_cast<double>(outputs);
  const auto d = static_cast<double>(steps->levels.size());
  // The paper's c_k are those of both copies together.
  std::vector<double> levels = steps->levels;
  for (double& level : levels) level *= static_cast<double>(steps->copies);
  const double squared = mechanisms::bcdp_printed_error(levels);
  const double rate = std::log(d) / std::sqrt(n) * (squared + std::sqrt(squared) * d);
  const double printed = (reach * reach + reach) * std::min(rate, d);

  const std::vector<double> errors = mechanisms::bcdp_errors(steps->levels, steps->variance);
  double of_features = 0, of_label = 0;
  for (std::size_t p = 0; p < errors.size(); ++p) (steps->order[p] == label ? of_label : of_features) += errors[p];
  const double features = d - 1;  // at least |z|^2
  const double matrix = std::sqrt(of_features * of_features + 2 * of_features * features);
  const double vector = std::sqrt(of_label * of_features + of_label * features + of_features);
  const double difference = (reach * reach / 2 * matrix + reach * vector) / std::sqrt(n);
  const double furthest = reach * std::sqrt(features) + 1;  // from a prediction to a label
  return {{Of::kPrediction, "BCDP paper, Theorem 3", printed, false},
          {Of::kPrediction, "Theorem 3 with constants, from the exact errors of one answer",
           std::min(difference, furthest * furthest / 2) * kRoundedUp, true}};
}

}  // namespace oddsbound::app
