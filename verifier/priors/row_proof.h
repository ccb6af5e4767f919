// Proofs that no rows of a network's tables have a quotient above a bound. A checker verifies them without a
// search.
//
// Let A = P(output | from) and B = bound * P(output | to). If A > B under some rows, some mean q lies between
// them. For every q, a share s in [0, 1] can prove that none does: (1 - s) P(from) (A - q) <= s P(to) (B - q) for
// all rows. Both sides are linear in every row, and in q. So a few means, with a share between each two neighbors,
// suffice. If no row is met twice (multilinear.h), the set of values of both sides is convex, and every mean has a
// share exactly if the bound holds. Otherwise rows that are met several times are split.
#pragma once

#include <optional>

#include "verifier/engine/measured_model.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/priors/prior_set.h"
#include "verifier/priors/row_search.h"

namespace oddsbound::priors {

/// Returns a proof; nullopt if none is found, though there may be one. nodes: of the question's network; column:
/// P(output | input), per input; tight_at: P(output | from) at which the quotient equals the bound. Throws
/// LimitError if the budget is exceeded.
std::optional<ByRows> prove_by_rows(const std::vector<IntervalNode>& nodes, const RowQuestion& question,
                                    const std::vector<Number>& column, std::uint32_t from, std::uint32_t to,
                                    const Surd& bound, const std::optional<Number>& tight_at, Budget& budget);

// Proofs that a level over a set is at most a bound, output by output.

/// The parts of a proof that do not follow from the set's closed form or from the extreme entries of an output.
struct SetLevelProof {
  struct Pair {
    std::uint64_t output;
    std::size_t from, to;
    SetProof proof;  // never ByForm
  };
  std::vector<Pair> pairs;        // in order of outputs
  std::vector<MassProof> masses;  // per label, if some pair has dual values
  struct Place {
    std::uint64_t output;
    std::size_t from, to;
  };
  std::optional<Place> missing{};  // the first pair without a proof; then the level is not proven
};

/// Like level_over(), for a finite bound. Proofs are reproducible only if the budget has one thread. Throws
/// LimitError if inputs or outputs are too many to enumerate, or if the budget is exceeded.
SetLevelProof prove_level(MeasuredModel& subject, const PriorSet& set, const ColumnInputs& inputs,
                          const AllowedPairs& direction, const Surd& bound, std::size_t at_once = 1);

}  // namespace oddsbound::priors
