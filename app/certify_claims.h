// Certificates of verdicts: for every decided claim, a proof that can be checked without this program.
#pragma once

#include <optional>

#include "reports/claim_certificate.h"
#include "reports/spec_result.h"
#include "specs/spec.h"

namespace oddsbound::app {

/// Returns the proofs of all decided claims of a result; nullopt if none is decided. The file name has no extension
/// yet. Claims without a proof, or whose proof exceeds the limits (applied anew), are listed with the reason.
///
/// A refuted claim is proved by its witness. A claim that holds is checked by its bare definition, independent of the
/// engine that decided it. Claims about sets of priors, averages or mechanisms, and large models, have their own
/// kinds of proof.
std::optional<SpecCertificate> certify_claims(const Spec& spec, const SpecResult& result, const Limits& limits);

}  // namespace oddsbound::app
