// Levels over sets of priors, decided by Z3 from the definition of the set: the masses are unknowns.
#pragma once

#include <vector>

#include "verifier/engine/projected_rows.h"
#include "verifier/priors/prior_set.h"
#include "verifier/smt/decide.h"

namespace oddsbound::smt {

/// What a claim compares: P(output given from) <= e^level P(output given to), for all outputs and members.
struct OverSet {
  std::string about;  // the coordinate; empty: none
  LabelledInputs inputs;
  std::vector<Label> labels;
  AllowedPairs direction;
  Level level;
};

/// A member that violates one of these is checked in exact arithmetic before it is believed, where Z3 gives rational
/// masses; that there is none is Z3's own finding. Claims that are tight are asked for a member that attains the level.
///
/// Undecided past a limit, for sets without a definition, and for numbers that are not rational.
SmtVerdict decide_over_set(const Model& model, const PriorSet& set, const std::vector<OverSet>& claimed, bool tight,
                           const ClaimTitle& title, Budget& budget, const SmtOptions& options);

}  // namespace oddsbound::smt
