// Proofs that a level over a set is at most what is claimed, output by output.
#pragma once

#include "verifier/ratios/direction.h"
#include "verifier/ratios/measured_model.h"
#include "verifier/sets/prior_set.h"
#include "verifier/sets/set_proof.h"

namespace oddsbound::sets {

/// What of a level needs more to be known than the set, and more than the largest and the smallest entries of an
/// output.
struct SetLevelProof {
  struct Pair {
    std::uint64_t output;
    std::size_t from, to;
    SetProof proof;  // never ByForm
  };
  std::vector<Pair> pairs;        // in the order of outputs
  std::vector<MassProof> masses;  // per label, where some pair has prices
  struct Place {
    std::uint64_t output;
    std::size_t from, to;
  };
  std::optional<Place> missing{};  // the first without a proof; then there is none of the level
};

/// As level_over(), for a level that is finite. Proofs are the same for any number of threads only if the budget has
/// one. Throws LimitError if there are too many inputs or outputs to go through, or past the budget.
SetLevelProof prove_level(MeasuredModel& subject, const PriorSet& set, const LabelledInputs& inputs,
                          const Direction& direction, const Surd& bound, std::size_t at_once = 1);

}  // namespace oddsbound::sets
