// The bounds of the papers on expected errors, beside the exact ones.
#pragma once

#include <cstdint>
#include <vector>

#include "reports/estimate_result.h"
#include "specs/spec.h"

namespace oddsbound::app {

/// Returns the bounds for estimates from `outputs` outputs. Throws ModelError if none is known for this mechanism.
std::vector<reports::TheoryBound> theory_of(const Spec& spec, std::uint64_t outputs);

/// Returns the bounds for a prediction of the coordinate `label` from answers in two copies, with coefficients of
/// length at most `reach`: Theorem 3 of the BCDP paper, and a bound with its constants.
///
/// The constants: let z be the features and l the label of a person, x^1, x^2 the errors of the two answers about z,
/// r^2 at least E|x^1|^2, and s^2 the label's. The objective differs from its estimate, at theta, by at most |theta|^2
/// |Z| / 2 + |theta| |b|. Here Z is the mean over people of independent matrices with mean 0 and E|.|^2 = r^4 + 2 r^2
/// |z|^2 (Frobenius), so E|Z| is at most the root of that over n; likewise E|b|, with s^2 r^2 + s^2 |z|^2 + l^2 r^2.
/// Symmetric parts are not longer. The estimate is unbiased at the best theta, so the expected excess is at most the
/// largest difference.
std::vector<reports::TheoryBound> theory_of_prediction(const Spec& spec, std::size_t label, double reach,
                                                       std::uint64_t outputs);

}  // namespace oddsbound::app
