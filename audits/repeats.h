// Do outputs repeat (or avoid) those 1 to 16 runs before, those half a batch before, or those at the same place of the
// batch before? A batch is what a program was asked for at once: runs of one input in a row.
//
// Everything is counted by fours of outputs: b follows a, d follows c, and nothing is said about a beside d or c beside
// b. Their difference is [a = b] + [c = d] - [a = d] - [c = b].
//
// Why nothing is found in independent runs, whatever they draw from: b and d are runs of one batch, so if all runs are
// independent and those of a batch are alike, then b and d are as likely exchanged, given all the rest. That turns the
// difference into its negative. The fours of one kind (a lag, a half, a batch before) are looked at in an order in
// which b and d are new, that is in no four before: given the past, 1 + bet * difference has mean 1 for every bet in
// (-1/2, 1/2). The product over all fours of a kind is then a martingale from 1 on, and so is the mean of such products
// over kinds and bets. It passes 1/alpha at any time with probability at most alpha (Ville's inequality): it does not
// matter why an audit ended, nor how the sizes of batches were chosen from what came before them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "audits/outcomes.h"
#include "audits/request_sizes.h"
#include "mechanisms/random/source.h"

namespace oddsbound::audits {

/// Kinds of repeats: a lag of 1, of 2, ..., half a batch, the batch before.
constexpr std::size_t kHalfBatch = kRepeatLags, kBatchBefore = kRepeatLags + 1, kRepeatKinds = kRepeatLags + 2;

/// What was counted. Counts of parts of an audit add up.
struct RepeatCounts {
  explicit RepeatCounts(std::uint64_t inputs = 0) : within(inputs), across(inputs) {}

  std::array<std::array<std::uint64_t, 5>, kRepeatKinds> differences{};  // how often each was -2, ..., 2
  std::uint64_t runs = 0;                                                // that were seen in their order
  // Fours per input: of every lag and of halves at least so many, and of batches before.
  std::vector<std::uint64_t> within, across;

  RepeatCounts& operator+=(const RepeatCounts& other);
  bool saw_any() const;
  /// Outputs of a batch, in their order.
  void count_batch(std::uint64_t input, std::span<const std::uint32_t> outputs);
  /// A batch beside the one before it for the same input. No batch may be in two such pairs.
  void count_batches(std::uint64_t input, std::span<const std::uint32_t> before,
                     std::span<const std::uint32_t> outputs);
};

/// Words about how outputs were seen to repeat; empty if they were not. False with probability at most alpha.
std::string find_repeats(const RepeatCounts& counts, double alpha);
/// All bets, of either sign, that are tried on each kind.
std::vector<double> repeat_bets();
/// The logarithm of one product of bets: its exponential has mean 1 if runs are independent.
double log_product(const RepeatCounts& counts, std::size_t kind, double bet);
/// Where the logarithm of one product reaches this, repeats are found whatever the other products are.
double enough_log_product(const RepeatCounts& counts, double alpha);

// A permutation test whether counts of outputs vary between requests as counts of independent runs do. They vary less
// if a sampler shuffles exact proportions, and more if it changes its probabilities from request to request.
//
// Two consecutive requests of equal size for one input are cut into eight parts each. If runs are independent and
// identically distributed, the 16 parts are exchangeable, so the true division into 8 and 8 parts is exchangeable with
// random divisions. The true division alone has the least difference of counts among 16 divisions with probability at
// most 1/16, and the greatest among 64 with probability at most 1/64, given the past. Bets at these odds are
// supermartingales, and so is their mean. It reaches 1/alpha with probability at most alpha (Ville's inequality).

/// Two sets of outputs are compared: those that the stated channel favors for the input, and the odd-numbered ones.
constexpr std::size_t kSpreadSets = 2;

/// Counts of won bets. The counts of shards add up.
struct SpreadCounts {
  std::uint64_t pairs = 0;                                     // of requests
  std::array<std::uint64_t, kSpreadSets> least{}, greatest{};  // how often the true division had that

  SpreadCounts& operator+=(const SpreadCounts& other);
};

class BatchesOfBlock {
 public:
  void clear() { inputs_.clear(); }
  /// The outputs of a request, in any order that depends on nothing but chance.
  void see(const OutputSets& sets, std::uint64_t input, std::span<const std::uint32_t> outputs);
  /// source: for the divisions to compare with.
  void count(RandomSource& source, SpreadCounts& counts) const;

 private:
  static constexpr std::size_t kParts = 8;  // of a request
  struct Pair {
    std::size_t size = 0;  // of the first request
    std::vector<std::array<std::uint64_t, kSpreadSets>> parts;
  };
  std::map<std::uint64_t, std::vector<Pair>> inputs_;
};

/// Words about counts that vary too little or too much; empty if they were not seen to. False with probability at most
/// alpha.
std::string find_odd_spread(const SpreadCounts& counts, double alpha);

}  // namespace oddsbound::audits
