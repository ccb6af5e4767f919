// An audit that may stop at any time: a test martingale against each claim. Its wealth grows while guesses are right
// more often than the claim allows. If the claim is true, the wealth ever reaches 1/alpha with probability at most
// alpha (Ville's inequality; confidence.h). Rules and games are learned anew from the rounds before. That is valid
// because each round's label is fresh.
#pragma once

#include "audits/outcomes.h"

#include <functional>
#include <vector>

#include "audits/findings.h"

namespace oddsbound::audits {

struct AnytimeResult {
  AuditFindings findings;
  std::vector<AnytimeLevel> levels;
};

/// Plays until a claim that should hold is contradicted, or options.samples runs are made. Outputs must be countable
/// (outputs_are_counted). Throws ModelError if the spec has no claim that could be contradicted.
AnytimeResult audit_until(const Spec& spec, Runner& runner, const AuditOptions& options, Budget& budget,
                          const std::function<void(std::uint64_t runs, double log_evidence)>& progress = {});

}  // namespace oddsbound::audits
