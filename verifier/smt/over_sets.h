// Decides levels over sets of priors with Z3, from the definition of the set: the masses are the unknowns.
#pragma once

#include <vector>

#include "verifier/engine/projected_rows.h"
#include "verifier/priors/prior_set.h"
#include "verifier/smt/decide.h"

namespace oddsbound::smt {

/// A claim over a set: P(output given from) <= e^level P(output given to) for all outputs and priors of the set.
struct OverSet {
  std::string about;  // the coordinate, or empty
  ColumnInputs inputs;
  std::vector<Label> labels;
  AllowedPairs direction;
  Level level;
};

/// Decides the claims. A violating prior is accepted only if Z3's masses are rational and an exact check confirms
/// it; the absence of one rests on Z3 alone. For a tight claim, Z3 is asked for a prior that attains the level.
///
/// Returns kUndecided past a limit, for sets without a definition, and for numbers that are not rational.
SmtVerdict decide_over_set(const Model& model, const PriorSet& set, const std::vector<OverSet>& claimed, bool tight,
                           const ClaimTitle& title, Budget& budget, const SmtOptions& options);

}  // namespace oddsbound::smt
