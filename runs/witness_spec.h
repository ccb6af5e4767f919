// Priors that show levels over sets, as specs of their own: whoever doubts a level verifies them.
#pragma once

#include <vector>

#include "results/spec_result.h"
#include "specs/spec.h"

namespace oddsbound::runs {

/// For every level of a claim over a set of priors that a prior shows, a spec with that prior, the same mechanism as a
/// matrix, and claims that say what it shows: less than the level is refuted, and the level holds (tight, if the prior
/// attains it; not over a sample, whose priors are allowed where the witness looks and nowhere else).
/// Throws LimitError past the budget, ModelError for names that JSON cannot hold.
std::vector<NamedText> witness_specs(const Spec& spec, const ClaimResult& result, Budget& budget);

}  // namespace oddsbound::runs
