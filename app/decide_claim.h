// Decides claims with the exact engine, with Z3 from the bare definition, or with both, which must agree.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/task.h"
#include "reports/spec_result.h"
#include "specs/source_file.h"
#include "specs/spec.h"
#include "verifier/model/model.h"
#include "verifier/smt/solver.h"

namespace oddsbound::app {

/// Returns the model on which claims are decided: the spec's, or that of one person whose reports are shuffled.
Model model_of_claims(const Spec& spec);

/// The result of a claim that no engine could decide.
ClaimResult undecided_claim(const Spec& spec, std::size_t index, const std::string& reason);

/// Decides a claim of the spec that the subject measures. Claims of specs with symbols always go to Z3; the exact
/// engine then measures a refutation at the values found. A disagreement is added to `disagreements` and leaves the
/// claim undecided.
ClaimResult decide_claim(const Spec& spec, std::size_t index, MeasuredModel& subject, Engine engine,
                         const SmtOptions& options, std::vector<Disagreement>& disagreements);

/// The same for some claims of the spec, which share passes over the columns. Cheap claims are decided first; the
/// results are in the order of `which`.
std::vector<ClaimResult> decide_claims(const Spec& spec, std::span<const std::size_t> which, MeasuredModel& subject,
                                       Engine engine, const SmtOptions& options,
                                       std::vector<Disagreement>& disagreements, bool timings = false);
/// Returns the indices of all claims.
std::vector<std::size_t> all_claims(const Spec& spec);

// A level in the form of a claim.

struct MeasuredClaim {
  std::string epsilon;  // in the grammar of levels
  bool tight = false;   // equal to the level, not only above it
};

/// Returns the level itself if its text is short, else rounded up to four decimals. For an unfinished level: its
/// upper bound.
MeasuredClaim claim_of(const MeasuredLevel& level);

}  // namespace oddsbound::app
