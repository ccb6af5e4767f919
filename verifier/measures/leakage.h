// What a release tells on average, beside the worst case of levels: how often the best guess is right before and after
// it, and how many nats it says. Bayes vulnerability and multiplicative Bayes leakage are those of quantitative
// information flow (Smith, On the foundations of quantitative information flow, 2009; Alvim et al., The Science of
// Quantitative Information Flow, 2020); mutual information is Shannon's.
#pragma once

#include "verifier/exact/decimal.h"
#include "verifier/engine/measured_model.h"

namespace oddsbound::measures {

/// How often the best guess is right.
struct Guesses {
  Number prior;      // beforehand: the probability of the likeliest value
  Number posterior;  // expected after the output

  /// Multiplicative Bayes leakage: how many times as often a guess is right.
  Number factor() const { return posterior / prior; }
};

struct Leakage : Guesses {
  DecimalBounds information{"0", "0"};  // mutual information with the output, in nats, rounded outward
  /// The largest total variation distance between outputs given two values; of an attribute.
  std::optional<Number> total_variation{};
};

/// Throws LimitError where the prior has more rows than what follows is a sum of.
void require_few_rows(const MeasuredModel& subject);

/// Guesses at one coordinate, or at the whole input, under the prior. Throws LimitError past the budget.
Guesses guesses_of(MeasuredModel& subject, std::optional<std::size_t> coordinate);
/// The mutual information of the same with the output, in nats, collected: empty if it is 0.
std::vector<WeightedLog> information_of(MeasuredModel& subject, std::optional<std::size_t> coordinate);

/// What the output says of one coordinate, under the prior. Throws LimitError past the budget.
Leakage leakage_of_value(MeasuredModel& subject, std::size_t coordinate);
/// The same of the whole input, with the likeliest output.
struct RecordLeakage {
  Leakage leakage;
  std::uint64_t likeliest = 0;
};
RecordLeakage leakage_of_record(MeasuredModel& subject);

}  // namespace oddsbound::measures
