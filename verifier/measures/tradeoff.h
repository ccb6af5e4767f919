// The trade-off between the two errors of a test that tells two distributions apart from one output
// (BCDP paper, Proposition 2 and Theorem 1).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/exact/level.h"
#include "verifier/model/model.h"

namespace oddsbound::measures {

/// The probabilities of two errors of a test of "from" against "to".
struct ErrorPair {
  Number type_one;  // P(reject given from)
  Number type_two;  // P(accept given to)
};

/// A trade-off curve between the two sides of a level's witness.
struct Tradeoff {
  std::string of;  // "ldp", "secret", or the coordinate of a BCDP level
  Label from;
  Label to;
  std::vector<ErrorPair> vertices;
};

/// The vertices of the lower boundary of all achievable error pairs, exactly, by the Neyman-Pearson lemma: outputs are
/// rejected in the order of falling P(y given to) / P(y given from), outputs of equal quotient together. From (0, beta)
/// to (1, 0) in order of type one error.
///
/// from, to: one probability per output, each summing to 1.
std::vector<ErrorPair> tradeoff_curve(std::span<const Number> from, std::span<const Number> to);

/// Some inputs, drawn by their weights.
struct GivenInputs {
  std::vector<std::uint64_t> inputs;
  std::vector<Number> weights;  // one per input, none zero
};

/// One input.
GivenInputs given_input(std::uint64_t input);
/// The inputs with that value of a coordinate, under the prior. The value must have mass.
GivenInputs given_value(MeasuredModel& subject, std::size_t coordinate, std::uint64_t value);
/// The inputs with that label of a secret, under the prior. The label must have mass.
GivenInputs given_label(MeasuredModel& subject, std::span<const std::uint32_t> label_of, std::uint32_t label);

/// The distributions of the output given these inputs, exactly, one after another; one pass over the columns finds all.
/// Throws LimitError past the budget.
std::vector<std::vector<Number>> output_distributions(MeasuredModel& subject, const std::vector<GivenInputs>& given);

// What any number of runs guarantees a coordinate: a bound on BCDP levels that grows with the runs as CDP does, and
// with how coordinates correlate not at all.

/// What a coordinate's value can say of the others before anything is released: the largest log of
/// P(others = z given value a) / P(others = z given value b), over all z and all values of positive mass. Infinite
/// where some z comes with one value and not with another. Throws LimitError past the budget.
Level prior_shift(const Domain& domain, const Prior& prior, std::size_t coordinate, Budget& budget);

/// The BCDP level of a coordinate is at most its CDP level plus its prior shift:
///
///     P(y given a) = sum_z P(z given a) f(y; a, z) <= sum_z e^D P(z given b) e^c f(y; b, z) = e^(c + D) P(y given b).
///
/// Of runs with CDP levels c_1, ..., c_n, c is at most their sum.
Level composition_bound(const Level& cdp, const Level& prior_shift);

/// Whether several runs see the same coordinate: parts of a product, or reports of an answer that is kept.
bool has_several_runs(const Channel& channel);

// What one notion implies for another (BCDP paper, Propositions 3, 4 and 6), as exact functions of levels.

/// Proposition 3: an eps-LDP mechanism is eps-BCDP for every coordinate.
Level bcdp_from_ldp(const Level& ldp);

/// Proposition 4, part 1: the BCDP level of coordinate i that CDP levels c and correlation q_i guarantee,
/// c_i + log(1 + q_i e^(sum of the other c_j) - q_i).
Level bcdp_from_cdp(std::span<const Level> cdp, const Number& correlation, std::size_t coordinate);

/// Proposition 4, part 2: min(c_i + log(1 + q_i e^eps - q_i), eps) for a mechanism that is also eps-LDP.
Level bcdp_from_cdp_and_ldp(const Level& cdp, const Number& correlation, const Level& ldp);

/// The better of both parts of Proposition 4.
Level proposition_4_bound(std::span<const Level> cdp, const Number& correlation, std::size_t coordinate,
                          const Level& ldp);

enum class Sufficiency { kSatisfied, kViolated, kUndecided };

/// Proposition 6: whether the linear condition A c <= 1 holds, A_ii = 1/delta_i and A_ij = 1/log(1 + (e^delta_i -
/// 1)/q_i). If it does, CDP levels c give BCDP levels delta by Proposition 4.
///
/// The condition compares a sum of quotients of logarithms with 1; it is decided exactly where all levels are rational
/// or it degenerates to one logarithm, by enclosures elsewhere, and kUndecided only if both sides agree to 4096 bits.
/// deltas and cdp finite or infinite; correlations in [0, 1].
Sufficiency proposition_6(std::span<const Level> deltas, std::span<const Number> correlations,
                          std::span<const Level> cdp);

}  // namespace oddsbound::measures
