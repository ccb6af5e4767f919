// Certificates of claims over sets of priors that hold.
#pragma once

#include "results/set_certificate.h"
#include "results/spec_result.h"
#include "specs/spec.h"
#include "verifier/ratios/measured_model.h"

namespace oddsbound::runs {

/// Why such a claim of the spec that the subject measures holds. Throws LimitError where there is no proof, or it takes
/// more than the subject's budget: that says why.
SetCertificate::Claim certify_over_set(const Claim& claim, const ClaimResult& result, MeasuredModel& subject);

}  // namespace oddsbound::runs
