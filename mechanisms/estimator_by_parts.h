// Unbiased estimators from the outputs of many independent parts, none of which identifies the input alone: the bits of
// a Bloom filter, or of a unary encoding that is reported through a second mechanism.
//
// A part sees classes of inputs (inputs with equal rows). If the rows of its classes are linearly independent, some
// weights of its outputs are expected to be 1 for inputs of one class and 0 for others. Products of such weights of
// different parts are features: a feature's expectation given x is 1 if x is in all of its classes, else 0. A sum
// of features is unbiased for a target if these sums of zeros and ones equal the target at every input. That is a
// linear system with one equation per input. Features of one part come first, then those of two parts, and so on.
//
// Cost: inputs^2 * features, and an elimination of inputs^3, in place of inputs * outputs. Among the solutions the
// one with the least weighted sum of squares is taken, where a feature's weight is its second moment for equally
// likely inputs, rounded to a power of two (which keeps numbers short). This treats features as uncorrelated: the
// variance is small, but not the least. Alternative: least_squares_estimator, which lists all outputs.
#pragma once

#include <span>

#include "mechanisms/estimator.h"

namespace oddsbound::mechanisms {

/// An independent part, and the position of its word in the outputs that the estimator is given.
struct PartOfOutput {
  ChannelPtr channel;
  std::vector<std::size_t> coordinates;
  std::size_t word;
};

/// Returns an estimator of the fractions of the values of some coordinates. Null if there is none: two inputs with
/// different values have the same rows. Throws LimitError if there are more than 256 inputs, or if no estimator is
/// found with at most 2,048 features.
EstimatorPtr estimator_by_parts(const Domain& domain, std::span<const PartOfOutput> parts,
                                std::span<const std::size_t> coordinates, Budget& budget);

}  // namespace oddsbound::mechanisms
