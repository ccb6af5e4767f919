// Tests whether the runs of a program are independent and identically distributed, from outputs in their order. Four
// tests: two starts with different seeds that give the same outputs; stretches of outputs that recur; outputs that
// repeat or avoid earlier ones, and counts of whole requests (repeats.h); outputs that depend on the size of the
// request or on their place in it (request_sizes.h).
//
// Every test compares the order of outputs with other orders of the same outputs. A sampler with independent,
// identically distributed runs is therefore never blamed for drawing from another channel than the stated one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "audits/outcomes.h"
#include "audits/repeats.h"
#include "audits/request_sizes.h"
#include "base/budget.h"
#include "base/namespaces.h"
#include "verifier/model/channel.h"

namespace oddsbound::audits {

// The power of the repeat tests (repeats.h).
//
// The alternative: with probability s, whatever happened before, a run repeats the output of the run `lag` before it
// in the batch (in the first half: at the same place of the batch before). Otherwise it draws a fresh output from the
// stated row p.
//
// Since s I + (1 - s) 1 p is reversible, such runs form a chain that looks the same in both directions from the
// middle of a batch. So given everything looked at before and a and c, each of b and d repeats its neighbor with
// probability s and is fresh otherwise. Let D be the difference (repeats.h). If a = c then D = 0. Otherwise D has
// mean 2s and
//
//   E D^2 = 2s + 2s^2 + 2(1 - s)(p_a + p_c) - 2(1 - s)^2 (p_a - p_c)^2.
//
// (1 + bet D)^-theta <= 1 - theta bet D + C bet^2 D^2, with C the least constant that fits D = -2, -1, 1 and 2. With
// probability (1 - s)^2 both a and c are fresh, and the mean of the right side over them is a polynomial in the sums
// of p^2 and p^3. Otherwise it is at most its maximum over pairs of outputs. Together: E[(1 + bet D)^-theta | past]
// <= 1 - gain. (In the middle, c may repeat an a of another four of its group. Given which do, the mean of the
// group's product is at most that of as many fours at (1 - s) times the fresh mean and s times the maximum.)
//
// So product^-theta, divided by the product of all (1 - gain), is a supermartingale. If the sum of all gains is at
// least theta * enough + log 100, the log product fails to reach `enough` with probability at most 0.01, at any
// stopping time (Markov, Ville). theta and the bet may depend on s but not on the counts.

/// The parameters of a stated row that the power depends on.
struct RowShape {
  explicit RowShape(std::span<const double> row);

  // For fresh outputs a and c: P(a != c), half of E[(p_a + p_c) 1(a != c)], and half of E[(p_a - p_c)^2].
  double unequal = 0, sums = 0, variance = 0;
  // p_a + p_c and |p_a - p_c| of pairs of outputs, one of which maximizes E D^2 for any s.
  std::vector<std::pair<double, double>> pairs;
};

/// Returns the smallest tried fraction s at which repeats are found with probability 0.99; nullopt if there is none
/// up to 1/2. fours: counted per input; enough: the value that the log product has to reach.
std::optional<double> findable_share(std::span<const RowShape> rows, std::span<const std::uint64_t> fours,
                                     double enough);

class DependenceWatch {
 public:
  /// If the runs are independent, and identically distributed within an input and block, any finding occurs with
  /// probability at most alpha, whatever the distribution. The channel only determines the length of stretches, the
  /// sets of outputs that are bet on, and the power. Shares of alpha: 1/5 for the size of the request and the place
  /// in it, 1/20 for counts of whole requests, 1/1000 each for stretches and starts, and the rest for repeats.
  DependenceWatch(const Channel& channel, double alpha, Budget& budget);

  /// Starts a stage: a pilot, which every shard runs, or other runs.
  void begin_stage(bool pilot);
  /// Blocks of other runs are compared in pairs, an even one and its successor. A shard runs both or neither.
  void begin_block(std::uint64_t number);
  /// Outputs of consecutive runs for one input, by their index.
  void see(std::uint64_t input, std::span<const std::uint32_t> outputs);
  /// The outputs of one request of a block. in_order: in the order drawn; otherwise they were shuffled. mixed_in: a
  /// small request among large ones; repeats are tested in the others only.
  void see_request(std::uint64_t input, std::span<const std::uint32_t> outputs, bool in_order, bool mixed_in);
  /// Ends a block after all its requests were answered. source: used by this block alone.
  void end_block(RandomSource& source);
  /// Returns the number of runs of an input that distinguishes two starts; 0 if no number does.
  std::uint64_t runs_to_compare(std::uint64_t input) const { return stretch_[input]; }
  /// Compares the first outputs of two starts.
  void compare_starts(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other);
  std::vector<std::string> findings() const;
  /// True if any outputs were seen in their order.
  bool saw_any() const { return counts_.pilot.saw_any() || counts_.rest.saw_any(); }
  /// The numbers of answers that were compared with the middle of large requests.
  RequestsCompared compared() const;
  DependencePower power() const;

  /// The counts that shards add up: of the pilot, which all of them ran, and of the rest.
  struct Counts {
    RepeatCounts pilot, rest;
    std::string same_start, repeated;
    AnswerCounts pilot_answers, answers;
    SpreadCounts pilot_spread, spread;
  };
  const Counts& counts() const { return counts_; }
  /// Sets the counts of the first shard; add_shard adds those of another one.
  void begin_with(const Counts& counts) { counts_ = counts; }
  void add_shard(const Counts& counts);

 private:
  void see_stretches(std::uint64_t input, std::span<const std::uint32_t> outputs);
  void see_stretch(std::uint64_t input, std::span<const std::uint32_t> stretch);
  double alpha_of_repeats() const;

  double alpha_;
  std::shared_ptr<const OutputSets> sets_;
  double enough_orders_;
  std::vector<RowShape> shapes_;
  std::vector<std::size_t> stretch_;  // per input: outputs that never recur in the same order by chance
  std::vector<std::unordered_set<std::string>> seen_;                     // in pilots
  std::unordered_set<std::string> block_;                                 // in other runs, since the last even block
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> before_;  // batches that wait for their successor
  std::size_t kept_ = 0;
  Counts counts_;
  AnswersOfBlock block_answers_;
  BatchesOfBlock block_batches_;
  bool pilot_ = true;
};

}  // namespace oddsbound::audits
