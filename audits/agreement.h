// Do the outputs come from the stated channel?
//
// Every row (input) that was run is tested twice: as a whole, by the likelihood-ratio statistic n KL(observed ||
// stated) against a bound of its tail that holds for every n (confidence.h), and output by output, by exact binomial
// tails. All tests together raise a false alarm with probability at most alpha. An output whose stated probability is 0
// is a deviation at once.
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
  std::uint64_t output = 0;  // the one that deviates most
  std::uint64_t count = 0;
  std::uint64_t runs = 0;
  Number stated;
  std::optional<std::pair<double, double>> interval;  // in which its probability lies; none at any time
  bool as_a_whole = false;                            // the row deviates, no single output does by itself
};

struct Agreement {
  std::string untested;       // why, if nothing could be tested
  std::uint64_t inputs = 0;   // that were run
  std::uint64_t entries = 0;  // of their rows
  /// A change of any tested row by this much in total variation is found with probability 0.99. By the first stage
  /// alone, since what the later ones run depends on what it shows.
  std::optional<double> power;
  std::vector<Deviation> deviations;
};

/// stages: counts per input of separate parts of the audit, each with numbers of runs that do not depend on its own
/// outputs.
Agreement check_agreement(const Channel& channel, std::span<const Tally> stages, double alpha, Budget& budget);

/// The same at any time, by a mixture of likelihood ratios over all rows (Dirichlet's prior with parameters 1/2); runs
/// may have been made for whatever reason. The power is not known then.
Agreement check_agreement_any_time(const Channel& channel, const Tally& tally, double alpha, Budget& budget);

// Whether a product's sampler is what its parts make up: where a product is too large to be replayed as a whole, its
// parts are replayed alone, and that proves something of the whole only if the whole is drawn from exactly these parts.

struct Composition {
  std::string fault;           // why the parts do not make up the channel; empty if they do
  std::uint64_t followed = 0;  // inputs for which the sampler was followed while it drew its parts
};

/// Compares the sampler's parts with the channel's factors: the same channels, on the same coordinates. Then follows
/// the sampler for all inputs, or for as many of them, spread evenly, as make some 2^20 outputs of factors: it must
/// draw each part once, in order, for the input that the factors see, and answer with what the parts answered.
Composition check_composition(const Channel& channel, const Sampler& sampler, Budget& budget);

}  // namespace oddsbound::audits
