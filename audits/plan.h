// Reads audit plans (JSON files that can be run again, docs/auditing.md), and computes how many runs an audit needs
// to find a violation.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audits/external.h"
#include "audits/measure.h"
#include "audits/outcomes.h"
#include "audits/question.h"
#include "specs/source_file.h"

namespace oddsbound::audits {

/// Reads a plan. File names in it, and its program, are relative to the plan's folder. Throws SpecError.
AuditRequest read_plan(const std::string& path, Budget& budget);
/// The same from a text; `path` is the name in error messages.
AuditRequest read_plan_text(const std::string& path, std::string text, Budget& budget);

// Number of runs, computed before anything is run.
//
// The computation assumes how the sampler violates the claim: it behaves as the spec states, but with its level
// raised to the claim plus `margin`. The best attack on the stated channel then guesses as often as before, with
// larger odds of being right.

/// The probability that the planned runs find a violation.
constexpr double kPlannedPower = 0.9;

struct PlannedClaim {
  std::string what;         // "bcdp sex"
  std::optional<Level> at;  // if the claim bounds delta
  ClaimedLevel claimed;
  std::optional<std::uint64_t> samples;  // of the whole audit; nullopt: see `reason`
  std::string reason{};
  double guessed = 0;   // fraction of rounds in which the attack guesses
  double allowed = 0;   // fraction of guesses that the claim allows to be right
  double violated = 0;  // fraction that is right if the claim is wrong by the margin
};

struct ClaimPlans {
  std::vector<PlannedClaim> claims;
  std::vector<ClaimLeftOut> left_out;
};

/// margin > 0: by how much a claim is wrong, in nats (for delta: a probability). Every claim that should hold is
/// either planned or left out. Throws ModelError if there is no such claim, or nothing to compare.
ClaimPlans plan_runs(const Spec& spec, const AuditOptions& options, double margin, Budget& budget);

}  // namespace oddsbound::audits
