// Certificates: upper bounds of the BCDP levels that were measured, with their proofs.
#pragma once

#include <optional>

#include "reports/certificate.h"
#include "reports/claim_certificate.h"
#include "reports/spec_result.h"
#include "specs/spec.h"
#include "verifier/engine/measured_model.h"

namespace oddsbound::app {

/// Proves what was measured of the subject. Coordinates for which that is impossible, or takes more than the budget,
/// are named with the reason.
Certificate certify(const Spec& spec, const SpecResult& result, MeasuredModel& subject, Budget& budget);

/// The level that a certificate's upper end is.
Level level_of_decimal(const std::string& decimal);

/// Where nothing was measured.
Certificate without_proofs(const Spec& spec, const std::string& reason);

// Proofs part by part, where inputs and outputs of a mechanism of independent parts are too many to go through.

/// The largest quotient of every part, between all that it sees or as far as one coordinate goes, if the claim compares
/// inputs like that: an output of all parts has at most their product. None for other claims, for mechanisms without
/// parts, and where the product is more than is claimed.
std::optional<ByParts> certify_by_parts(const Claim& claim, const Model& model, Budget& budget);

/// Which inputs of a mechanism of independent parts are compared: all; those that differ in a coordinate alone; those
/// that differ in it, and maybe in others.
struct ComparedInputs {
  std::optional<std::size_t> coordinate;
  bool others_differ = false;
};
/// Whether for all of them the product of the parts' largest quotients is at most exp of the level: then no output is
/// likelier, nor given a value than given another one under any prior. False where inputs are too many for that.
bool pairs_are_within(const Model& model, const ComparedInputs& compared, const Level& level, Budget& budget);

// Certificates of claims over sets of priors that hold.

/// Why such a claim of the spec that the subject measures holds. Throws LimitError where there is no proof, or it takes
/// more than the subject's budget: that says why.
SetCertificate::Claim certify_over_set(const Claim& claim, const ClaimResult& result, MeasuredModel& subject);

}  // namespace oddsbound::app
