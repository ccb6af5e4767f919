// What a claim says, by its bare definition: which comparisons of output probabilities it makes. The exact engine
// decides claims through lemmas (single outputs suffice, single values suffice, ...); who decides by the definition
// starts here instead.
//
// Every notion compares P(R given a side) with another one's, for every set R of outputs:
//
//   P(R given from) <= e^level P(R given to) + delta
//
// Sides are inputs, or events {label in S} under the prior, for every set S of labels of positive probability.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "verifier/exact/level.h"
#include "verifier/model/model.h"
#include "verifier/model/witness.h"

namespace oddsbound::model {

struct Comparison {
  std::string about;  // the coordinate; empty where there is none
  Level level;
  Number delta{0};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;  // of inputs that are compared, both ways where so
  std::vector<Party> labels;                                   // of events; empty: inputs are compared
  std::vector<std::uint32_t> label_of;                         // per input
  /// What `tight` asks: that some pair attains the level, that each does, nothing (the level is not claimed itself), or
  /// that some pair attains delta.
  enum class Tight { kSome, kEach, kNone, kDelta } tight = Tight::kSome;
};

using Definition = std::vector<Comparison>;

/// All ordered pairs of different inputs among those given.
std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_among(const std::vector<std::uint64_t>& inputs);
/// All inputs of a domain.
std::vector<std::uint64_t> all_inputs(const Domain& domain);
/// Whether only coordinates of the group differ.
bool differ_within(const Domain& domain, std::uint64_t a, std::uint64_t b, const std::vector<std::size_t>& group);
/// Any two sets of values of a coordinate.
Comparison comparison_of_values(const Domain& domain, std::size_t coordinate, const Level& level);

}  // namespace oddsbound::model
