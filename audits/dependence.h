// Tests whether the runs of a program are independent and identically distributed, from outputs in their order. Four
// tests: two starts with different seeds that give the same outputs; stretches of outputs that recur; outputs that
// repeat or avoid earlier ones, and counts of whole requests (repeats.h); outputs that depend on the size of the
// request or on their place in it (request_sizes.h).
//
// Every test compares the order of outputs with other orders of the same outputs. A sampler with independent,
// identically distributed runs is therefore never blamed for drawing from another channel than the stated one.
#pragma once

#include "audits/outcomes.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "audits/repeat_power.h"
#include "audits/repeats.h"
#include "audits/request_sizes.h"
#include "base/budget.h"
#include "verifier/model/channel.h"

namespace oddsbound::audits {

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
