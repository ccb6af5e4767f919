// Random small models for property tests, and the definitions of the notions as plain loops over exact numbers: no
// interning, no approximations, no structure.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "verifier/engine/projected_rows.h"
#include "verifier/exact/level.h"
#include "verifier/model/model.h"

namespace oddsbound::testing {

using Random = std::mt19937_64;

std::uint64_t below(Random& random, std::uint64_t limit);

enum class Entries { kRational, kWithExp };

Domain random_domain(Random& random, std::size_t most_coordinates = 4, std::uint64_t most_values = 3);
/// A distribution with zeros; with kWithExp some of its values are in K, not rational.
std::vector<Number> random_distribution(Random& random, std::size_t size, Entries entries);
ChannelPtr random_channel(Random& random, const Domain& domain, Entries entries, std::size_t most_outputs = 4);
Prior random_prior(Random& random, const Domain& domain);
Model random_model(Random& random, Entries entries);
ChannelPtr channel_of_rows(const std::vector<std::vector<Number>>& rows);
/// Three outputs, all possible, with probabilities of small denominators.
ChannelPtr random_possible_outputs(Random& random, std::size_t inputs);
std::vector<std::vector<Number>> rows_of(const Channel& channel);

// Levels by definition.
Level naive_ldp(const Model& model);
Level naive_bdp(const Model& model);
Level naive_cdp(const Model& model, std::size_t coordinate);
Level naive_bcdp(const Model& model, std::size_t coordinate, const AllowedPairs& direction = {});
/// The hockey-stick divergence between the outputs of two inputs.
Number naive_delta(const Model& model, std::uint64_t from, std::uint64_t to, const Number& factor);
Number naive_correlation(const Model& model, std::size_t coordinate);

/// Coordinates x0, x1, ... with the values 0, 1, ...
Domain domain_of_sizes(const std::vector<std::size_t>& sizes);
/// Returns the number of coordinates in which two inputs differ.
std::size_t differing(const Domain& domain, std::uint64_t x, std::uint64_t z);
/// Returns the probabilities of outputs given two inputs, with outputs of equal probabilities as one.
std::pair<std::vector<Number>, std::vector<Number>> merged_outputs(const std::vector<Number>& from,
                                                                   const std::vector<Number>& to);

}  // namespace oddsbound::testing
