// Results of audits as plain values (requests: oddsbound/options.h).
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/namespaces.h"
#include "oddsbound/options.h"

namespace oddsbound::audits {

/// Why an audit ended early.
struct Interruption {
  std::string reason;     // empty if it did not
  bool by_limit = false;  // a limit of oddsbound, not an error of the program
  explicit operator bool() const { return !reason.empty(); }
};

/// Why an input was chosen: it is likely under the prior, attains a level of the stated channel, was drawn at random,
/// or is a neighbor (in one coordinate) of such an input.
enum class ChosenFor { kPrior, kWitness, kRandom, kNeighbor };

/// The tried inputs, if not all are tried.
struct TriedInputs {
  std::uint64_t prior = 0, witness = 0, random = 0, neighbor = 0;  // compared inputs, by reason
  std::uint64_t given_labels = 0;  // runs for inputs drawn from the prior given a value or label
  std::uint64_t compared() const { return prior + witness + random + neighbor; }
};

/// The score of a game of guessing labels.
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
  double threshold = 0;  // log(1/alpha) of this question
  std::vector<EvidencePoint> history;
};

/// The title of a comparison that follows from claims: "between neighbors, implied by claims 0 and 2".
std::string title_of_implied(const std::string& compared, const std::vector<std::size_t>& claims);

/// A claim, or its part about one coordinate, that the audit does not play against.
struct ClaimLeftOut {
  std::size_t claim = 0;  // index in the spec
  std::string what;       // "bcdp sex"
  std::string reason;
};

/// Outputs are compared with those up to this many runs before.
constexpr std::size_t kRepeatLags = 16;

/// The power of the dependence tests: the fraction of runs that repeat an earlier output which is found with
/// probability 0.99. nullopt if there were too few runs.
struct DependencePower {
  std::uint64_t runs = 0;        // runs seen in their order; 0: not shown (confidential prior)
  std::optional<double> within;  // repeats the output 1 to 16 runs, or half a batch, before
  std::optional<double> across;  // repeats the output at the same place of the previous batch
  bool stretches = false;        // some input varies enough to compare stretches and starts
};

/// The data behind the tests of request sizes and places (request_sizes.h) and of request counts (repeats.h).
struct RequestsCompared {
  std::uint64_t small_requests = 0;   // mixed in and answered
  std::uint64_t only = 0, first = 0;  // answers that were the only one, or the first, of a request
  std::uint64_t pairs = 0;            // of large requests whose counts were compared
  bool any() const { return only > 0 || first > 0 || pairs > 0; }
};

/// How the stated distribution of a choice was proved from its code.
enum class ShownBy {
  kEnumeration,  // every sequence of what it draws
  kBranches,     // every branch of code that only compares
  kInduction,    // for every n at once
  kNothing,      // not proved: too much to enumerate, and no other proof
};

// Counts of each output for each input (or side).

class Tally {
 public:
  Tally() = default;
  Tally(std::uint64_t rows, std::uint64_t outputs) : outputs_(outputs), counts_(rows * outputs) {}

  std::uint64_t rows() const { return outputs_ == 0 ? 0 : counts_.size() / outputs_; }
  std::uint64_t outputs() const { return outputs_; }
  std::span<std::uint64_t> row(std::uint64_t x) { return std::span(counts_).subspan(x * outputs_, outputs_); }
  std::span<const std::uint64_t> row(std::uint64_t x) const {
    return std::span(counts_).subspan(x * outputs_, outputs_);
  }
  std::uint64_t at(std::uint64_t x, std::uint64_t y) const {
    assert(x < rows() && y < outputs_);
    return counts_[x * outputs_ + y];
  }
  std::uint64_t total(std::uint64_t x) const {
    const auto counts = row(x);
    return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
  std::uint64_t total() const { return std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}); }
  Tally& operator+=(const Tally& other) {
    assert(outputs_ == other.outputs_ && counts_.size() == other.counts_.size());
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
    return *this;
  }

 private:
  std::uint64_t outputs_ = 0;
  std::vector<std::uint64_t> counts_;
};

/// Serialization: the counts, and their inverse for a tally of the same shape.
inline void pack(BinaryWriter& writer, const Tally& tally) {
  for (std::uint64_t x = 0; x < tally.rows(); ++x) {
    for (const std::uint64_t count : tally.row(x)) writer.put(count);
  }
}

inline Tally unpack(BinaryReader& reader, const Tally& zero) {
  Tally tally = zero;
  for (std::uint64_t x = 0; x < tally.rows(); ++x) {
    for (std::uint64_t& count : tally.row(x)) count = reader.word();
  }
  return tally;
}

/// Throws BytesError if this many rounds cannot have given these counts.
inline void require_sum_of(std::uint64_t rounds, const Tally& tally) {
  std::uint64_t left = rounds;
  for (std::uint64_t x = 0; x < tally.rows(); ++x) {
    for (const std::uint64_t count : tally.row(x)) {
      if (count > left) throw BytesError("outputs were counted more often than there were rounds");
      left -= count;
    }
  }
  if (left > 0) throw BytesError("outputs were counted less often than there were rounds");
}

std::string word_of(Expectation expectation);

/// Returns 1 - confidence, rounded. Throws ModelError unless the confidence is in [1/2, 1).
double error_of_confidence(const Number& confidence);

}  // namespace oddsbound::audits
