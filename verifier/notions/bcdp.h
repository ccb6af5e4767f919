// Bayesian coordinate differential privacy (BCDP paper, Definition 4).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/engine/group_levels.h"
#include "verifier/engine/level_proof.h"
#include "verifier/model/model.h"
#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// Returns, for every coordinate, the exact BCDP level: the least d (in nats, stored as e^d) with P(y given x_i =
/// a) <= e^d P(y given x_i = b) for all outputs y and all values a, b of positive prior mass, with a witness.
///
/// Single values and outputs suffice: probabilities given an event are mixtures of those given values. If outputs
/// are searched and the time runs out, a level is unfinished: bounds with a reason. Throws ModelError without a
/// prior, LimitError past the budget.
const std::vector<GroupLevel>& bcdp_levels(MeasuredModel& subject);
std::vector<MeasuredLevel> measured_bcdp(MeasuredModel& subject);

/// Returns the BCDP levels, in order, of all coordinates outside `known` for an adversary who knows these: the
/// largest over all combinations of known values.
std::vector<MeasuredLevel> bcdp_given(MeasuredModel& subject, const std::vector<std::size_t>& known);

/// Announces the question of the BCDP levels to the columns, if it has one: the next pass answers it.
void expect_bcdp(MeasuredModel& subject);
/// The same, of claims about these coordinates only.
void expect_bcdp(MeasuredModel& subject, const std::vector<std::size_t>& coordinates);

Notion bcdp_notion();

// Proofs of upper bounds on BCDP levels, which can be checked without trust in the search that found them
// (docs/certificates.md).

/// One level of depth of the proof tree: a fixed factor, or several equal factors, the order of whose outputs does
/// not matter.
struct ProofStep {
  std::vector<std::size_t> factors;                 // of the channel
  std::vector<std::vector<std::uint64_t>> outputs;  // those listed; every other is proportional to one of them
};

struct CoordinateProof {
  std::vector<std::size_t> within;  // the coordinates of the part, independent of all others; or all
  std::vector<ProofStep> steps;     // by depth in the tree
  engine::ProofNode root;           // about pairs of values of the coordinate
};

/// The proof for a coordinate, or why there is none.
struct ProofOutcome {
  std::optional<CoordinateProof> proof;
  std::string reason;
};

/// Proves, by coordinate, that the BCDP level is at most its bound; the bounds must lie slightly above the levels.
/// Each coordinate gets an equal fraction of the remaining time. If that or another limit is reached, it has no
/// proof. Requires a prior.
std::vector<ProofOutcome> prove_bcdp(const Model& model, const std::vector<Level>& bounds, Budget& budget);

}  // namespace oddsbound::notions
