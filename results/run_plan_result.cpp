#include "results/run_plan_result.h"

#include <fmt/format.h>

#include <algorithm>

#include "results/audit_result_json.h"
#include "results/audit_words.h"
#include "results/document.h"
#include "specs/spec_error.h"

namespace oddsbound::results {

namespace {

struct RunPlans {
  std::vector<RunPlan> plans;
};

}  // namespace

template <typename Fields>
void describe(Fields& fields, PlannedRuns& claim) {
  fields.object("a planned claim");
  fields.field("index", claim.claim);
  fields.field("what", claim.what);
  fields.field("claimed", claim.claimed);
  fields.where(!claim.delta_at.empty(), "delta_at", claim.delta_at);
  fields.where(claim.samples.has_value(), "samples", claim.samples);
  fields.where(!claim.samples, "reason", claim.reason);
  fields.field("guessed", claim.guessed);
  fields.field("allowed", claim.allowed);
  fields.field("violated", claim.violated);
  fields.where(claim.confidential, "confidential", claim.confidential);
}

template <typename Fields>
void describe(Fields& fields, RunPlan& plan) {
  fields.object("a plan of runs");
  fields.field("file", plan.file);
  fields.field("name", plan.name);
  fields.field("margin", plan.margin);
  fields.field("power", plan.power);
  fields.field("error", plan.error);
  fields.derived("samples", plan.samples());
  fields.field("claims", plan.claims);
  fields.where(!plan.left_out.empty(), "left_out", plan.left_out);
}

template <typename Fields>
void describe(Fields& fields, RunPlans& plans) {
  fields.object("plans of runs");
  fields.field("plans", plans.plans);
}

std::string to_json(const std::vector<RunPlan>& plans) { return document_of(RunPlans{plans}); }

std::vector<RunPlan> run_plans_from_json(const JsonDocument& document, Budget& budget) {
  return read_document<RunPlans>(document, budget).plans;
}

int RunPlan::exit_status() const {
  const bool open = std::any_of(claims.begin(), claims.end(), [](const PlannedRuns& claim) { return !claim.samples; });
  return open ? 3 : 0;
}

std::uint64_t RunPlan::samples() const {
  std::uint64_t most = 0;
  for (const PlannedRuns& claim : claims) most = std::max(most, claim.samples.value_or(0));
  return most;
}

std::string text_run_plan(const RunPlan& plan) {
  constexpr std::size_t kLongest = 40;
  std::string text = fmt::format(
      "{} ({}): runs that find a claim wrong by {:g} with probability {:g}\n  if the sampler answers as stated, but "
      "what tells sides apart tells so much more\n",
      printable(plan.name), printable(plan.file), plan.margin, plan.power);
  for (const PlannedRuns& claim : plan.claims) {
    const std::string at = claim.delta_at.empty() ? "" : " at " + printable(claim.delta_at, kLongest) + ": delta";
    text += fmt::format("  claim {}: {}{} <= {}: ", claim.claim, printable(claim.what, kLongest), at,
                        printable(claim.claimed, kLongest));
    if (!claim.samples) {
      text += "NOT KNOWN: " + claim.reason + "\n";
      continue;
    }
    text +=
        fmt::format("{} runs\n      a guess in {:.3g} % of rounds, right for {:.4g} %, where {:.4g} % are allowed\n",
                    *claim.samples, 100 * claim.guessed, 100 * claim.violated, 100 * claim.allowed);
  }
  for (const ClaimLeftOut& claim : plan.left_out) text += left_out_words(claim);
  if (plan.samples() > 0) text += fmt::format("  all of them: --samples {}\n", plan.samples());
  return text;
}

}  // namespace oddsbound::results
