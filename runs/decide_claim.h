// Who decides a claim: the exact engine, Z3 from the bare definition, or both, which must agree.
#pragma once

#include <span>
#include <vector>

#include "results/spec_result.h"
#include "specs/spec.h"
#include "verifier/smt/options.h"

namespace oddsbound::runs {

/// A claim that nobody could decide.
ClaimResult undecided_claim(const Spec& spec, std::size_t index, const std::string& reason);

/// Decides a claim of the spec that the subject measures. Claims of specs with symbols are always Z3's, and what it
/// refutes is measured by the exact engine at the values it found. A disagreement is added to `disagreements`, and
/// leaves the claim undecided.
ClaimResult decide_claim(const Spec& spec, std::size_t index, MeasuredModel& subject, Engine engine,
                         const SmtOptions& options, std::vector<Disagreement>& disagreements);

/// The same for some claims of the spec, which share passes over the columns.
std::vector<ClaimResult> decide_claims(const Spec& spec, std::span<const std::size_t> which, MeasuredModel& subject,
                                       Engine engine, const SmtOptions& options,
                                       std::vector<Disagreement>& disagreements, bool timings = false);
/// The numbers of all of them.
std::vector<std::size_t> all_claims(const Spec& spec);

}  // namespace oddsbound::runs
