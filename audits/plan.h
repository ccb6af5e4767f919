// What is to be audited, and how: from the command line, or from a plan, a JSON file that can be run again
// (docs/auditing.md).
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

/// Reads a plan. File names in it, and its program, are relative to its folder. Throws SpecError.
AuditRequest read_plan(const std::string& path, Budget& budget);
/// The same from a text; `path` is the name that errors give.
AuditRequest read_plan_text(const std::string& path, std::string text, Budget& budget);

// How many runs an audit needs to find that a claim is wrong, worked out before anything is run.
//
// A plan needs to know how the sampler leaks more than is claimed. It is taken to answer as the spec states, but that
// what tells two sides apart tells more: by as much that the level lies above the claim by the margin. Then the attack
// that is best against the stated channel guesses as often as there, and its odds of being right are larger.

/// With which probability a violation is found by as many runs as are planned.
constexpr double kPlannedPower = 0.9;

struct PlannedClaim {
  std::string what;         // "bcdp sex"
  std::optional<Level> at;  // where the claim bounds delta
  ClaimedLevel claimed;
  std::optional<std::uint64_t> samples;  // of the whole audit; none: `reason`
  std::string reason{};
  double guessed = 0;   // the share of rounds in which the attack guesses
  double allowed = 0;   // the share of these that the claim allows to be right
  double violated = 0;  // the share that is right if the claim is wrong by the margin
};

struct ClaimPlans {
  std::vector<PlannedClaim> claims;
  std::vector<ClaimLeftOut> left_out;
};

/// margin: by how much a claim is wrong, in nats (of delta: as a probability), above 0. Every claim that should hold
/// is there or left out. Throws ModelError where there is none, or nothing to compare.
ClaimPlans plan_runs(const Spec& spec, const AuditOptions& options, double margin, Budget& budget);

}  // namespace oddsbound::audits
