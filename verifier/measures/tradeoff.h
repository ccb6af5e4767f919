// Trade-off curves between the two errors of a hypothesis test on one output (BCDP paper, Proposition 2 and
// Theorem 1), and bounds that one notion implies for another (Proposition 4).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "verifier/engine/measured_model.h"
#include "verifier/exact/level.h"
#include "verifier/model/model.h"

namespace oddsbound::measures {

/// The two error probabilities of a test of the hypothesis "from" against "to".
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

/// Returns the vertices of the lower boundary of all achievable error pairs, exactly, by the Neyman-Pearson lemma:
/// outputs are rejected in decreasing order of P(y | to) / P(y | from), outputs of equal quotient together. From
/// (0, beta) to (1, 0), in order of type one error.
///
/// from, to: one probability per output; each sums to 1.
std::vector<ErrorPair> tradeoff_curve(std::span<const Number> from, std::span<const Number> to);

/// Inputs, drawn in proportion to their weights.
struct GivenInputs {
  std::vector<std::uint64_t> inputs;
  std::vector<Number> weights;  // one per input, none zero
};

/// Returns one input.
GivenInputs given_input(std::uint64_t input);
/// Returns the inputs with that value of a coordinate, under the prior. The value must have mass.
GivenInputs given_value(MeasuredModel& subject, std::size_t coordinate, std::uint64_t value);
/// Returns the inputs with that label of a secret, under the prior. The label must have mass.
GivenInputs given_label(MeasuredModel& subject, std::span<const std::uint32_t> label_of, std::uint32_t label);

/// Returns the output distribution for each element of `given`, exactly. One pass over the columns computes all of
/// them. Throws LimitError if the budget is exceeded.
std::vector<std::vector<Number>> output_distributions(MeasuredModel& subject, const std::vector<GivenInputs>& given);

/// The values of positive mass of a coordinate: their masses under the prior, and the output distribution given each.
struct ValueRows {
  std::vector<std::size_t> values;
  std::vector<Number> masses;
  std::vector<std::vector<Number>> rows;
};
ValueRows rows_of_values(MeasuredModel& subject, std::size_t coordinate);

// A bound of BCDP levels under composition: cdp + prior_shift. With the number of runs only the CDP level grows; the
// prior shift, which is the effect of correlated coordinates, does not.

/// Returns how strongly a coordinate's value predicts the others before anything is released: the largest log of
/// P(others = z | a) / P(others = z | b) over all z and all values a, b of positive mass. Infinite if some z
/// occurs with one value and not with another. Throws LimitError if the budget is exceeded.
Level prior_shift(const Domain& domain, const Prior& prior, std::size_t coordinate, Budget& budget);

/// Returns cdp + prior_shift, an upper bound of the BCDP level of a coordinate with that CDP level c and prior
/// shift D:
///
///     P(y | a) = sum_z P(z | a) f(y; a, z) <= sum_z e^D P(z | b) e^c f(y; b, z) = e^(c + D) P(y | b).
///
/// For several runs with CDP levels c_1, ..., c_n, c is at most their sum.
Level composition_bound(const Level& cdp, const Level& prior_shift);

/// Returns true if several runs use the same coordinate: as parts of a product, or as reports of a memoized
/// answer.
bool has_several_runs(const Channel& channel);

// Implications between notions (BCDP paper, Proposition 4), as exact functions of levels.

/// Proposition 4, part 1: the BCDP level of coordinate i that CDP levels c and correlation q_i guarantee,
/// c_i + log(1 + q_i e^(sum of the other c_j) - q_i).
Level bcdp_from_cdp(std::span<const Level> cdp, const Number& correlation, std::size_t coordinate);

/// Proposition 4, part 2: min(c_i + log(1 + q_i e^eps - q_i), eps) for a mechanism that is also eps-LDP.
Level bcdp_from_cdp_and_ldp(const Level& cdp, const Number& correlation, const Level& ldp);

/// The smaller of the two bounds of Proposition 4.
Level proposition_4_bound(std::span<const Level> cdp, const Number& correlation, std::size_t coordinate,
                          const Level& ldp);

}  // namespace oddsbound::measures
