// Certificates of verdicts: for every claim that was decided, what shows it to somebody who does not run this program.
#pragma once

#include <optional>

#include "reports/claim_certificate.h"
#include "reports/spec_result.h"
#include "specs/spec.h"

namespace oddsbound::app {

/// Why the claims of a result are decided as they are; none if none is decided. Its file's name is without an ending.
/// What has no proof, or takes more than these limits once more, is named with the reason.
///
/// A refuted claim has its witness; one that holds is gone through by its bare definition, whoever decided it, unless
/// it is about a set of priors, averages, a mechanism, or too large: then each has a way of its own.
std::optional<SpecCertificate> certify_claims(const Spec& spec, const SpecResult& result, const Limits& limits);

}  // namespace oddsbound::app
