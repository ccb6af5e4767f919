// Tests whether outputs repeat (or avoid) those 1 to 16 runs before, half a batch before, or at the same place of the
// previous batch. A batch is one request to a program: consecutive runs of one input.
//
// Outputs are counted in fours (a, b, c, d): b follows a, and d follows c. a against d and c against b are controls.
// The difference is D = [a = b] + [c = d] - [a = d] - [c = b].
//
// Validity for any distribution: if all runs are independent and those of a batch identically distributed, b and d
// are exchangeable given the rest. Exchanging them negates D. The fours of one kind (a lag, half a batch, a batch
// before) are processed in an order in which b and d are new, that is, in no earlier four. So given the past, 1 + bet
// * D has mean 1 for every bet in (-1/2, 1/2). The product over all fours of a kind is a test martingale that starts
// at 1, and so is the mean of such products over kinds and bets. It ever reaches 1/alpha with probability at most
// alpha (Ville's inequality). The stopping rule and the choice of batch sizes from the past do not matter.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "audits/outcomes.h"
#include "audits/request_sizes.h"
#include "mechanisms/random/source.h"

namespace oddsbound::audits {

/// Kinds of repeats: lag 1, lag 2, ..., half a batch, the batch before.
constexpr std::size_t kHalfBatch = kRepeatLags, kBatchBefore = kRepeatLags + 1, kRepeatKinds = kRepeatLags + 2;

/// The counts. Counts of parts of an audit add up.
struct RepeatCounts {
  explicit RepeatCounts(std::uint64_t inputs = 0) : within(inputs), across(inputs) {}

  std::array<std::array<std::uint64_t, 5>, kRepeatKinds> differences{};  // number of D = -2, ..., 2
  std::uint64_t runs = 0;                                                // runs seen in their order
  // Fours per input: a lower bound for every lag and for half batches, and the number for batches before.
  std::vector<std::uint64_t> within, across;

  RepeatCounts& operator+=(const RepeatCounts& other);
  bool saw_any() const;
  /// Counts the outputs of a batch, in their order.
  void count_batch(std::uint64_t input, std::span<const std::uint32_t> outputs);
  /// Counts a batch against the previous one for the same input. No batch may be in two such pairs.
  void count_batches(std::uint64_t input, std::span<const std::uint32_t> before,
                     std::span<const std::uint32_t> outputs);
};

/// Describes how outputs repeat; empty if nothing was found. False with probability at most alpha.
std::string find_repeats(const RepeatCounts& counts, double alpha);
/// All bets, of either sign, that are tried on each kind.
std::vector<double> repeat_bets();
/// log of one product of bets. Its exponential has mean 1 if runs are independent.
double log_product(const RepeatCounts& counts, std::size_t kind, double bet);
/// The value of one log product from which repeats are found, whatever the other products are.
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

/// Numbers of won bets. The counts of shards add up.
struct SpreadCounts {
  std::uint64_t pairs = 0;                                     // of requests
  std::array<std::uint64_t, kSpreadSets> least{}, greatest{};  // how often the true division had the least or greatest
                                                               // difference

  SpreadCounts& operator+=(const SpreadCounts& other);
};

class BatchesOfBlock {
 public:
  void clear() { inputs_.clear(); }
  /// The outputs of a request, in an order that depends only on chance.
  void see(const OutputSets& sets, std::uint64_t input, std::span<const std::uint32_t> outputs);
  /// source: draws the random divisions.
  void count(RandomSource& source, SpreadCounts& counts) const;

 private:
  static constexpr std::size_t kParts = 8;  // of a request
  struct Pair {
    std::size_t size = 0;  // of the first request
    std::vector<std::array<std::uint64_t, kSpreadSets>> parts;
  };
  std::map<std::uint64_t, std::vector<Pair>> inputs_;
};

/// Describes counts that vary too little or too much; empty if nothing was found. False with probability at most
/// alpha.
std::string find_odd_spread(const SpreadCounts& counts, double alpha);

}  // namespace oddsbound::audits
