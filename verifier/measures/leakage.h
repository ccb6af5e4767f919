// Average leakage of a release, in addition to the worst case of levels: the accuracy of the best guess before and
// after the output, and the mutual information in nats. Bayes vulnerability and multiplicative Bayes leakage are
// those of quantitative information flow (Smith, On the foundations of quantitative information flow, 2009; Alvim
// et al., The Science of Quantitative Information Flow, 2020); mutual information is Shannon's.
#pragma once

#include "verifier/engine/measured_model.h"
#include "verifier/engine/output_sums.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::measures {

/// The accuracy of the best guess.
struct Guesses {
  Number prior;                               // without the output: the probability of the most likely value
  Number posterior;                           // with the output, in expectation; the lower end if only bounds are known
  std::optional<Number> posterior_at_most{};  // the upper end
  bool complete = true;                       // the bounds come from all outputs

  /// Returns the multiplicative Bayes leakage: posterior / prior accuracy; its lower end if only bounds are known.
  Number factor() const { return posterior / prior; }
  Number factor_at_most() const { return posterior_at_most.value_or(posterior) / prior; }
};

struct Leakage : Guesses {
  DecimalBounds information{"0", "0"};  // mutual information with the output, in nats, rounded outward
  /// The largest total variation distance between the output distributions given two values. Only for attributes.
  std::optional<Number> total_variation{};  // the lower end if only bounds are known
  std::optional<Number> total_variation_at_most{};
};

/// Throws LimitError if the prior has more than 2^16 rows, over which the functions below sum.
void require_few_rows(const MeasuredModel& subject);

/// Returns the accuracy of guesses at one coordinate, or at the whole input, under the prior; bounds as in
/// leakages_of(). Throws LimitError if the budget is exceeded.
Guesses guesses_of(MeasuredModel& subject, std::optional<std::size_t> coordinate);
/// Returns the mutual information of the same with the output, in nats, as a collected sum; empty if it is 0.
std::vector<WeightedLog> information_of(MeasuredModel& subject, std::optional<std::size_t> coordinate);

// Under the uniform prior, from the classes of outputs that the parts of the channel declare (model/pair_class.h).
// Inputs and outputs are not enumerated. nullopt if the prior is not known to be uniform, if parts that matter share
// coordinates, or if one declares no classes.

/// True if the two functions below are used in place of sums over inputs and outputs.
bool has_output_classes(const Model& model, std::optional<std::size_t> coordinate);
std::optional<std::vector<WeightedLog>> information_by_classes(const Model& model,
                                                               std::optional<std::size_t> coordinate);
std::optional<Guesses> guesses_by_classes(const Model& model, std::optional<std::size_t> coordinate);

/// Bounds of the mutual information in nats, for products with too many inputs and outputs for the exact sum.
struct InformationBounds {
  engine::NumberBounds nats;
  bool complete = true;  // all outputs were visited
};
/// Returns true if the exact sum is out of reach, and information_bounds() is not.
bool has_information_bounds(const MeasuredModel& subject, std::optional<std::size_t> coordinate);
InformationBounds information_bounds(MeasuredModel& subject, std::optional<std::size_t> coordinate);
/// Returns the sum of the mutual information of the input with the output of each factor of a product, in nats: an
/// upper bound of that with all outputs together, also about a coordinate. Empty if it is 0; nullopt if there are too
/// many inputs and factors.
std::optional<std::vector<WeightedLog>> information_by_parts(const Model& model, Budget& budget);

// Announce the sums over outputs that guesses_of and information_bounds ask for, so that claims share one pass
// (shared_sums.h).
void expect_guesses(MeasuredModel& subject, std::optional<std::size_t> coordinate);
void expect_information(MeasuredModel& subject, std::optional<std::size_t> coordinate);

/// Why these bounds, or those of other sums over outputs, are bounds.
std::string reason_of_bounds(bool complete);

/// The leakage of each coordinate and of the whole input, and the most likely output (the first one of several).
struct Leakages {
  std::vector<Leakage> values;
  Leakage record;
  std::vector<std::uint64_t> likeliest{};  // as Channel::split returns it; empty: it was not found
};

/// Returns all of these under the prior, computed once; bounds if rows x outputs exceed the budget and the channel is a
/// product (engine/output_sums.h). Throws LimitError past the budget.
const Leakages& leakages_of(MeasuredModel& subject);
/// The same, computed anew; without the information if that is not asked for.
Leakages measure_leakages(MeasuredModel& subject, bool information);

}  // namespace oddsbound::measures
