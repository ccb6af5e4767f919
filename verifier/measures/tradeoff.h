// The trade-off between the two errors of a test that tells two distributions apart from one output
// (BCDP paper, Proposition 2 and Theorem 1).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "verifier/model/witness.h"
#include "verifier/ratios/measured_model.h"

namespace oddsbound::measures {

/// The probabilities of two errors of a test of "from" against "to".
struct ErrorPair {
  Number type_one;  // P(reject given from)
  Number type_two;  // P(accept given to)
};

/// A trade-off curve between the two sides of a level's witness.
struct Tradeoff {
  std::string of;  // "ldp", "secret", or the coordinate of a BCDP level
  Party from;
  Party to;
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

}  // namespace oddsbound::measures
