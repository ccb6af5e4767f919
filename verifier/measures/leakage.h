// What a release tells on average, beside the worst case of levels: how often the best guess is right before and after
// it, and how many nats it says. Bayes vulnerability and multiplicative Bayes leakage are those of quantitative
// information flow (Smith, On the foundations of quantitative information flow, 2009; Alvim et al., The Science of
// Quantitative Information Flow, 2020); mutual information is Shannon's.
#pragma once

#include "verifier/exact/decimal.h"
#include "verifier/ratios/measured_model.h"

namespace oddsbound::measures {

struct Leakage {
  Number prior;                         // the probability of the likeliest value: how often a guess is right beforehand
  Number posterior;                     // expected after the output: how often the best guess is right then
  DecimalBounds information{"0", "0"};  // mutual information with the output, in nats, rounded outward
  /// The largest total variation distance between outputs given two values; of an attribute.
  std::optional<Number> total_variation{};

  /// Multiplicative Bayes leakage: how many times as often a guess is right.
  Number factor() const { return posterior / prior; }
};

/// What the output says of one coordinate, under the prior. Throws LimitError past the budget.
Leakage leakage_of_value(MeasuredModel& subject, std::size_t coordinate);
/// The same of the whole input, with the likeliest output.
struct RecordLeakage {
  Leakage leakage;
  std::uint64_t likeliest = 0;
};
RecordLeakage leakage_of_record(MeasuredModel& subject);

}  // namespace oddsbound::measures
