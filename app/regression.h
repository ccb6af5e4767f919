// Algorithm 2 of the BCDP paper: least squares from answers with two independent copies.
//
// The objective, the mean of (theta^T z - l)^2 / 2, is quadratic in the data. With one unbiased answer in place of z,
// the answer's own variance would be added to z z^T. The product of two independent answers z1, z2 is unbiased.
#pragma once

#include <string>

#include "app/quadratic.h"
#include "oddsbound/options.h"
#include "reports/estimate_result.h"
#include "specs/collected.h"
#include "specs/spec.h"

namespace oddsbound::app {

/// Returns the mean over the outputs of (x1 x2^T + x2 x1^T) / 2, for the two copies x1 and x2 of an answer: an
/// unbiased estimate of the mean of x x^T. Throws ModelError unless the mechanism answers in two copies.
SymmetricMatrix second_moments(const Spec& spec, const CollectedOutputs& collected, Budget& budget);

/// Predicts the coordinate `options.label` from the others, with coefficients in the ball, box or simplex of the
/// options. Throws ModelError for a mechanism without two copies, without another coordinate, or for options that
/// contradict one another.
LeastSquaresResult least_squares(const Spec& spec, const std::string& outputs_file, std::string_view outputs,
                                 const EstimateOptions& options, Budget& budget);

}  // namespace oddsbound::app
