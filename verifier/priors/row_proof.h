// Why no rows of a network's tables have a larger quotient than a bound: for whoever checks it without a search.
//
// Let A = P(output given from), B = bound * P(output given to). Were A > B under some rows, some mean q would lie
// between. For every q a share s in [0, 1] shows that none does: (1 - s) P(from) (A - q) <= s P(to) (B - q), both
// sides of which are linear in every row, and in q. So a few means with a share between each two of them are enough.
// Where no row is met twice (multilinear.h), what both sides can be is convex, and there is a share for every mean just
// where the bound holds. Else rows that are met several times are split.
#pragma once

#include <optional>

#include "verifier/engine/measured_model.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/priors/definition.h"
#include "verifier/priors/prior_set.h"
#include "verifier/priors/row_search.h"

namespace oddsbound::priors {

/// nodes: of the question's network; column: P(output given input), per input; tight_at: P(output given from) where the
/// quotient is the bound. None: it is not found, though there may be one. Throws LimitError past the budget.
std::optional<ByRows> prove_by_rows(const std::vector<IntervalNode>& nodes, const RowQuestion& question,
                                    const std::vector<Number>& column, std::uint32_t from, std::uint32_t to,
                                    const Surd& bound, const std::optional<Number>& tight_at, Budget& budget);

// Proofs that a level over a set is at most what is claimed, output by output.

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
                          const AllowedPairs& direction, const Surd& bound, std::size_t at_once = 1);

}  // namespace oddsbound::priors
