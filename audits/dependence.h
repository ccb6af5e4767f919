// Are the runs of a program independent of one another? Seen from outputs in their order: two starts with different
// seeds that give the same outputs, stretches of outputs that come again, and outputs that repeat (or avoid) those some
// runs before (repeats.h). And are they alike, however many are asked for at once: answers of small requests, and the
// first and last ones of all, beside those in the middle of large requests (request_sizes.h), and counts of whole
// requests beside one another (repeats.h). All of it compares the order of outputs with other orders of the same
// outputs, so a sampler whose runs are independent and alike is not blamed for drawing from another channel than the
// stated one.
#pragma once

#include "audits/outcomes.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "audits/repeats.h"
#include "audits/repeat_power.h"
#include "audits/request_sizes.h"
#include "base/budget.h"
#include "verifier/model/channel.h"

namespace oddsbound::audits {

class DependenceWatch {
 public:
  /// All findings together are false with probability at most alpha, if runs are independent and those of one input in
  /// a block alike, whatever they draw from. The channel only says how long stretches have to be, which outputs are
  /// bet on together, and what would have been found. Of alpha a fifth is for answers that depend on the size of the
  /// request or on their place, a twentieth for counts of whole requests, 1/1000 each for stretches and starts, and the
  /// rest for repeats.
  DependenceWatch(const Channel& channel, double alpha, Budget& budget);

  /// What follows is a pilot, which every shard runs, or other runs.
  void begin_stage(bool pilot);
  /// Blocks of other runs are compared by twos, an even one and the next; shards run both or neither.
  void begin_block(std::uint64_t number);
  /// Outputs of consecutive runs for one input, by their index.
  void see(std::uint64_t input, std::span<const std::uint32_t> outputs);
  /// The outputs of one request of a block. in_order: as they were drawn; else they were shuffled. mixed_in: it is a
  /// small one among large ones; repeats are looked for in the others.
  void see_request(std::uint64_t input, std::span<const std::uint32_t> outputs, bool in_order, bool mixed_in);
  /// All requests of the block were answered. source: of this block alone.
  void end_block(RandomSource& source);
  /// How many runs of an input tell two starts apart; 0 if no number does.
  std::uint64_t runs_to_compare(std::uint64_t input) const { return stretch_[input]; }
  /// What the first runs of two starts gave.
  void compare_starts(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other);
  std::vector<std::string> findings() const;
  /// Whether any outputs were seen in their order.
  bool saw_any() const { return counts_.pilot.saw_any() || counts_.rest.saw_any(); }
  /// How many answers were compared with those in the middle of large requests, and whether any were.
  RequestsCompared compared() const;
  DependencePower power() const;

  /// What shards have to add up: of the pilot, which all of them ran, and of the rest.
  struct Counts {
    RepeatCounts pilot, rest;
    std::string same_start, repeated;
    AnswerCounts pilot_answers, answers;
    SpreadCounts pilot_spread, spread;
  };
  const Counts& counts() const { return counts_; }
  /// The first shard's counts, and those of another one.
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
  std::vector<std::size_t> stretch_;  // per input: how many outputs never come again in the same order by chance
  std::vector<std::unordered_set<std::string>> seen_;                     // in pilots
  std::unordered_set<std::string> block_;                                 // in other runs, since the last even block
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> before_;  // batches that wait for the next one
  std::size_t kept_ = 0;
  Counts counts_;
  AnswersOfBlock block_answers_;
  BatchesOfBlock block_batches_;
  bool pilot_ = true;
};

}  // namespace oddsbound::audits
