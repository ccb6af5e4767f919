// Estimators of the joint fractions of values of some coordinates, from the outputs of a mechanism made of parts.
//
// Given an input, parts draw independently. If a weight of one part has expectation 1[x_a = v] and one of another
// part 1[x_b = w], their product has expectation 1[x_a = v and x_b = w]: it is unbiased for the joint fraction.
// Parts with the same coordinates are averaged.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mechanisms/mechanism.h"

namespace oddsbound::mechanisms {

/// A part's estimator for some of the coordinates that it sees, and the position of its words in the output.
struct PartShares {
  EstimatorPtr estimator;
  ChannelPtr channel;  // of several parts together: their product, and the estimator knows its moments
  std::size_t first_word;
  std::size_t words;
};

/// Parts that see the same coordinates, and estimate some of these.
struct SharesFromParts {
  std::vector<std::size_t> coordinates;  // the estimated ones
  std::vector<std::size_t> seen;
  std::vector<PartShares> parts;
};

/// An estimator of the joint fractions of some coordinates, in their order. It takes outputs of the whole
/// mechanism and reads a few words of them.
struct Marginal {
  EstimatorPtr estimator;                // null if some coordinates have no estimator
  std::vector<std::size_t> missing;      // the coordinates without an estimator
  std::vector<SharesFromParts> factors;  // the weight is the product of their weights
};

/// Returns the estimator. Throws LimitError if a part is too large for it.
Marginal marginal_of(const Domain& domain, std::span<const MechanismPart> parts,
                     std::span<const std::size_t> coordinates, Budget& budget);

/// Returns whether every part's estimator is unbiased, as an identity; nullopt if a part is too large to check. On
/// failure `where` names the target.
std::optional<bool> is_unbiased(const Marginal& marginal, Budget& budget, std::string& where);

/// Returns the sum of the mean squared errors of the fractions from n outputs, for inputs from the prior; nullopt
/// if that is too expensive. Exact.
std::optional<Number> mean_squared_error(const Marginal& marginal, const Domain& domain, const Prior& prior,
                                         const Number& n, Budget& budget);

}  // namespace oddsbound::mechanisms
