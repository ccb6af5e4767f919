// How many runs an audit needs, before anything is run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audits/outcomes.h"
#include "base/budget.h"
#include "specs/json_document.h"

namespace oddsbound::results {

/// Rates and shares are rounded: a plan is no verdict.
struct PlannedRuns {
  std::size_t claim = 0;                 // its index in the spec
  std::string what;                      // "bcdp sex"
  std::string claimed;                   // a level, or delta
  std::string delta_at{};                // the level at which it is; empty for a level
  std::optional<std::uint64_t> samples;  // of the whole audit; none: `reason`
  std::string reason{};
  double guessed = 0;         // the share of rounds in which a guess is made
  double allowed = 0;         // the share of these that the claim allows to be right
  double violated = 0;        // the share that is right if the claim is wrong by the margin
  bool confidential = false;  // they depend on a confidential table
};

struct RunPlan {
  std::string file, name;
  double margin = 0;  // by which a claim is wrong, in nats; of delta, as a probability
  double power = 0;   // the probability with which that is found
  double error = 0;   // that of the audit
  std::vector<PlannedRuns> claims;
  std::vector<ClaimLeftOut> left_out;

  /// 3 if it is not known of some claim.
  int exit_status() const;
  /// As many as every claim that is planned needs.
  std::uint64_t samples() const;
};

std::string to_json(const std::vector<RunPlan>& plans);
/// Throws SpecError for what is no such document.
std::vector<RunPlan> run_plans_from_json(const JsonDocument& document, Budget& budget);
std::string text_run_plan(const RunPlan& plan);

}  // namespace oddsbound::results
