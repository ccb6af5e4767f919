// Certificates of claims over sets of priors that hold.
#pragma once

#include <optional>
#include <vector>

#include "results/set_certificate.h"
#include "results/spec_result.h"
#include "specs/spec.h"

namespace oddsbound::runs {

/// Proofs of those claims of the spec that are about a set of priors and were found to hold; none if there is no such
/// claim. What has no proof, or takes more than these limits once more, is named with the reason.
std::optional<SetCertificate> certify_sets(const Spec& spec, const std::vector<ClaimResult>& claims,
                                           const Limits& limits);

}  // namespace oddsbound::runs
