// What audits say, as plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/namespaces.h"

namespace oddsbound::audits {

/// Why an audit ended before its time.
struct Interruption {
  std::string reason;     // empty if it did not
  bool by_limit = false;  // one of our own limits, not something a program did
  explicit operator bool() const { return !reason.empty(); }
};

/// Why an input was chosen, where not all are tried: it is likely under the prior, it shows a level of the stated
/// channel, by chance, or as a neighbor of such, in one coordinate.
enum class ChosenFor { kPrior, kWitness, kRandom, kNeighbor };

/// What was run where not all inputs are tried.
struct TriedInputs {
  std::uint64_t prior = 0, witness = 0, random = 0, neighbor = 0;  // inputs that were compared with one another
  std::uint64_t given_labels = 0;  // runs for inputs drawn from the prior given a value or a label
  std::uint64_t compared() const { return prior + witness + random + neighbor; }
};

/// Of a game of guessing labels.
struct Score {
  std::uint64_t rounds = 0;
  std::uint64_t guesses = 0;
  std::uint64_t right = 0;
  Score& operator+=(const Score& other);
};

/// Evidence against the strictest claim of a question, after some rounds.
struct EvidencePoint {
  std::uint64_t runs = 0;  // of the whole audit
  double log_evidence = 0;
};

struct AnytimeLevel {
  std::size_t question = 0;
  double threshold = 0;  // 1/alpha of this question, as a logarithm
  std::vector<EvidencePoint> history;
};

/// A claim, or the part of it about one coordinate, that an audit which may stop early does not play against.
struct ClaimLeftOut {
  std::size_t claim = 0;  // its index in the spec
  std::string what;       // "bcdp sex"
  std::string reason;
};

/// Outputs are compared with those up to so many runs before.
constexpr std::size_t kRepeatLags = 16;

/// What would have been found: outputs that repeat another one in this share of all runs, with probability 0.99. None
/// where there were too few runs.
struct DependencePower {
  std::uint64_t runs = 0;        // that were seen in their order; 0: not shown, for a confidential prior
  std::optional<double> within;  // the output 1 to 16 runs before it, or half a batch
  std::optional<double> across;  // the one at the same place of the batch before
  bool stretches = false;        // outputs of some input vary enough for comparing stretches of them, and starts
};

/// The data behind the tests of request sizes and places (request_sizes.h) and of request counts (batch_spread.h).
struct RequestsCompared {
  std::uint64_t small_requests = 0;   // mixed in and answered
  std::uint64_t only = 0, first = 0;  // answers that were the only one, or the first, of a request
  std::uint64_t pairs = 0;            // of large requests whose counts were compared
  bool any() const { return only > 0 || first > 0 || pairs > 0; }
};

/// How the code of a choice was shown to keep what the choice states.
enum class ShownBy {
  kEnumeration,  // every sequence of what it draws
  kBranches,     // every branch of code that only compares
  kInduction,    // for every n at once
  kNothing,      // not at all: there is too much to enumerate, and no other proof
};

}  // namespace oddsbound::audits
