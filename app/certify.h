// Builds certificates: upper bounds of measured BCDP levels, bounds part by part, and claims over sets of priors,
// each with its proof.
#pragma once

#include <optional>

#include "reports/certificate.h"
#include "reports/claim_certificate.h"
#include "reports/spec_result.h"
#include "specs/spec.h"
#include "verifier/engine/measured_model.h"

namespace oddsbound::app {

/// Proves the BCDP levels of the subject, which are measured if they were not before. Coordinates whose level or proof
/// is impossible or exceeds its budget are listed with the reason.
Certificate certify(const Spec& spec, MeasuredModel& subject, Budget& budget);

/// Returns the level that equals a certificate's upper end.
Level level_of_decimal(const std::string& decimal);

/// Returns a certificate without proofs, for a spec that was not measured.
Certificate without_proofs(const Spec& spec, const std::string& reason);

// Proofs part by part, for mechanisms of independent parts with too many inputs and outputs to enumerate

/// Says that the parts prove the claim: an output of all parts has at most the product of the parts' largest
/// quotients. nullopt for other claims, for mechanisms without parts, and if the parts together may exceed the level.
std::optional<ByParts> certify_by_parts(const Claim& claim, const Model& model, Budget& budget);

/// Which inputs of a mechanism of independent parts are compared: all; those that differ only in a coordinate; or
/// those that differ in it and possibly in others.
struct ComparedInputs {
  std::optional<std::size_t> coordinate;
  bool others_differ = false;
};
/// True if for all compared pairs the product of the parts' largest quotients is at most e^level. Then no output
/// exceeds the level, neither between the inputs nor, under any prior, between two values of the coordinate. False if
/// there are too many inputs.
bool pairs_are_within(const Model& model, const ComparedInputs& compared, const Level& level, Budget& budget);

// Certificates of claims over sets of priors that hold

/// Proves a claim over a set of priors that holds, for the spec that the subject measures. Throws LimitError, with
/// the reason, if there is no proof or it exceeds the subject's budget.
SetCertificate::Claim certify_over_set(const Claim& claim, const ClaimResult& result, MeasuredModel& subject);

}  // namespace oddsbound::app
