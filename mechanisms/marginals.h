// What the outputs of a mechanism say about some of the coordinates: the shares of what these are together.
//
// Parts draw independently of each other for an input. So where a weight of one part has the expectation 1[x_a = v] and
// one of another 1[x_b = w], their product has the expectation 1[x_a = v and x_b = w]: it is unbiased for the joint
// share. Parts that see the same are averaged.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mechanisms/mechanism.h"

namespace oddsbound::mechanisms {

/// A part's estimator of the shares of some of what it sees, and the words of its outputs.
struct PartShares {
  EstimatorPtr estimator;
  ChannelPtr channel;
  std::size_t first_word;
  std::size_t words;
};

/// Parts that see the same coordinates, and tell some of these.
struct SharesFromParts {
  std::vector<std::size_t> coordinates;  // that they tell
  std::vector<std::size_t> seen;
  std::vector<PartShares> parts;
};

/// An estimator of the joint shares of some coordinates, in their order. Its outputs are those of the whole mechanism,
/// of which it reads a few words.
struct Marginal {
  EstimatorPtr estimator;                // null where some coordinates cannot be told
  std::vector<std::size_t> missing;      // these
  std::vector<SharesFromParts> factors;  // what its weights are products of
};

/// Throws LimitError if a part is too large for what is asked of it.
Marginal marginal_of(const Domain& domain, std::span<const MechanismPart> parts,
                     std::span<const std::size_t> coordinates, Budget& budget);

/// Whether it is unbiased, as far as that can be checked: every part's estimator is, as an identity. None where a part
/// is too large. `where` says what is wrong.
std::optional<bool> is_unbiased(const Marginal& marginal, Budget& budget, std::string& where);

/// The sum of the mean squared errors of the shares from n outputs, for inputs from the prior; none where that takes
/// too much. Exact.
std::optional<Number> mean_squared_error(const Marginal& marginal, const Domain& domain, const Prior& prior,
                                         const Number& n, Budget& budget);

}  // namespace oddsbound::mechanisms
