// Tests whether the outputs come from the stated channel, and whether a product's sampler is composed of its parts.
//
// Every row (input) that was run is tested twice. The whole row: the likelihood-ratio statistic n KL(observed ||
// stated) against a tail bound that holds for every n (confidence.h). Each output: exact binomial tails. All tests
// together raise a false alarm with probability at most alpha. An output with stated probability 0 is a deviation at
// once.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "audits/outcomes.h"
#include "base/budget.h"
#include "mechanisms/sampler.h"
#include "verifier/model/channel.h"

namespace oddsbound::audits {

struct Deviation {
  std::uint64_t input = 0;
  std::uint64_t output = 0;  // the output with the largest deviation
  std::uint64_t count = 0;
  std::uint64_t runs = 0;
  Number stated;
  std::optional<std::pair<double, double>> interval;  // for its probability; nullopt in anytime tests
  bool as_a_whole = false;                            // the row deviates, but no single output does by itself
};

struct Agreement {
  std::string untested;       // reason; empty if something was tested
  std::uint64_t inputs = 0;   // inputs that were run
  std::uint64_t entries = 0;  // entries of their rows
  /// A change of any tested row by this much in total variation is found with probability 0.99. Computed from the
  /// first stage alone, because the run counts of later stages depend on its outcome.
  std::optional<double> power;
  std::vector<Deviation> deviations;
};

/// Tests the counts per input of separate stages of an audit. The run counts of a stage must not depend on the
/// outputs of that stage.
Agreement check_agreement(const Channel& channel, std::span<const Tally> stages, double alpha, Budget& budget);

/// The anytime version: a mixture of likelihood ratios over all rows (Dirichlet prior with parameters 1/2). Valid for
/// any stopping rule and any choice of runs. The power is then unknown.
Agreement check_agreement_any_time(const Channel& channel, const Tally& tally, double alpha, Budget& budget);

// Composition of products. A product too large to replay as a whole is proved by replaying its parts alone. That
// proof is valid only if the product is drawn from exactly these parts.

struct Composition {
  std::string fault;           // why the parts do not make up the channel; empty if they do
  std::uint64_t followed = 0;  // inputs for which the sampler was followed
};

/// Compares the sampler's parts with the channel's factors: same channels, same coordinates. Then follows the sampler
/// for all inputs, or for evenly spread ones up to about 2^20 factor outputs. The sampler must draw each part once,
/// in order, for the input that the factors see, and return exactly the outputs of the parts.
Composition check_composition(const Channel& channel, const Sampler& sampler, Budget& budget);

}  // namespace oddsbound::audits
