// A test whether outputs depend on the size of the request or on their place in it.
//
// Tested answers are those of small requests, and the first 16 and the last of every request. Each is grouped with
// seven outputs from the middle of large requests for the same input, in the same block. Let A be a set of outputs, and
// let s of the eight lie in A. If runs are independent and identically distributed given the input, the eight are
// exchangeable: the answer lies in A with probability s/8. Under the alternative its odds are larger by a factor t, so
// the probability is t s / (t s + 8 - s). The likelihood ratio has mean 1 given the past, and no output is used twice.
// The product of the ratios is therefore a test martingale, for each kind of answer, set A and factor t, and so is a
// weighted mean of these products. It reaches 1/alpha with probability at most alpha (Ville's inequality). The products
// depend only on counts, which add up over shards.
//
// The sets A are: single outputs (more than 64 share hashed cells), per input and for all inputs together; the outputs
// that the stated channel gives more often for this input than on average; and its most frequent outputs. The bets are
// fair for any choice of sets.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/budget.h"
#include "verifier/model/channel.h"

namespace oddsbound::audits {

/// Kinds of answers: the only one, one of two, one of 3 to 18; in a request of any size the first, the last, the
/// second, the 3rd and 4th, the 5th to 8th, the 9th to 16th.
constexpr std::size_t kAnswerKinds = 9;
enum AnswerPlace : std::size_t { kOnlyAnswer, kOneOfTwo, kOneOfFew, kFirstAnswer, kLastAnswer, kSecondAnswer };
/// Outputs that are grouped with an answer.
constexpr std::size_t kBeside = 7;

/// The sets A of a channel.
class OutputSets {
 public:
  OutputSets(const std::vector<std::vector<double>>& rows, std::uint64_t outputs);
  std::size_t count() const { return 2 + shared_ + inputs_ * own_; }
  /// The number of sets of a channel with this many inputs and outputs.
  static std::size_t count_for(std::uint64_t inputs, std::uint64_t outputs);
  /// True if the output is in set 0 or 1, which depend on the input.
  bool is_in(std::size_t set, std::uint64_t input, std::uint32_t output) const {
    return (flags_[input * outputs_ + output] >> set & 1U) != 0;
  }
  /// The set of single outputs that contains the output, for all inputs or for one.
  std::size_t shared_set(std::uint32_t output) const { return 2 + hashed(output, shared_); }
  std::size_t own_set(std::uint64_t input, std::uint32_t output) const {
    return 2 + shared_ + input * own_ + hashed(output, own_);
  }
  /// The weight of a set among all bets on a kind of answers: 1/3 each for the two sets that depend on the input, for
  /// the sets of all inputs, and for the sets of single inputs.
  double weight(std::size_t set) const;

 private:
  static std::size_t hashed(std::uint32_t output, std::size_t sets);
  static std::size_t shared_for(std::uint64_t outputs);
  static std::size_t own_for(std::uint64_t inputs, std::uint64_t outputs);

  std::uint64_t outputs_;
  std::size_t inputs_, shared_, own_;
  std::vector<std::uint8_t> flags_;
};

/// Counts of answers. The counts of shards add up.
struct AnswerCounts {
  explicit AnswerCounts(std::size_t sets = 0) : cells(kAnswerKinds * sets) {}
  /// One kind of answer and one set: [answer outside or inside the set][s - 1], for s = 1 to 7.
  using Cell = std::array<std::array<std::uint64_t, kBeside>, 2>;
  std::vector<Cell> cells;
  std::uint64_t small_requests = 0;                  // answered
  std::array<std::uint64_t, kAnswerKinds> looked{};  // tested answers of each kind

  AnswerCounts& operator+=(const AnswerCounts& other);
  std::uint64_t most_looked() const;
};

/// The answers of one block: first collected, then counted.
class AnswersOfBlock {
 public:
  void clear() { inputs_.clear(); }
  /// The outputs of a request. in_order: in the order drawn; otherwise they are shuffled and have no places.
  void see(std::uint64_t input, std::span<const std::uint32_t> outputs, bool in_order);
  void count(const OutputSets& sets, AnswerCounts& counts) const;

 private:
  struct Answer {
    std::uint32_t kinds;  // one bit each
    std::uint32_t output;
  };
  struct OfInput {
    std::vector<Answer> answers;
    std::vector<std::uint32_t> middle;
    std::uint64_t small_requests = 0;
  };
  std::map<std::uint64_t, OfInput> inputs_;
};

/// Describes the kind of answers that differs; empty if nothing was found. False with probability at most alpha.
std::string find_odd_answers(const OutputSets& sets, const AnswerCounts& counts, double alpha);
/// The factors t that are tried.
std::vector<double> odds_tried();
/// log of one product. Its exponential has mean 1 if runs are independent and identically distributed.
double log_product(const AnswerCounts::Cell& cell, double odds);

}  // namespace oddsbound::audits
