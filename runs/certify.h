// Certificates: upper bounds of the BCDP levels that were measured, with their proofs.
#pragma once

#include "results/certificate.h"
#include "results/spec_result.h"
#include "specs/spec.h"
#include "verifier/ratios/measured_model.h"

namespace oddsbound::runs {

/// Proves what was measured of the subject. Coordinates for which that is impossible, or takes more than the budget,
/// are named with the reason.
Certificate certify(const Spec& spec, const SpecResult& result, MeasuredModel& subject, Budget& budget);

/// The level that a certificate's upper end is.
Level level_of_decimal(const std::string& decimal);

/// Where nothing was measured.
Certificate without_proofs(const Spec& spec, const std::string& reason);

}  // namespace oddsbound::runs
