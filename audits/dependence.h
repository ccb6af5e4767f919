// Are the runs of a program independent of one another? Seen from outputs in their order: two starts with different
// seeds that give the same outputs, stretches of outputs that come again, and outputs that repeat (or avoid) those some
// runs before (repeats.h). All of it compares the order of outputs with other orders of the same outputs, so a sampler
// whose runs are independent is not blamed for drawing from another channel than the stated one.
#pragma once

#include "audits/outcomes.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "audits/repeat_power.h"
#include "audits/repeats.h"
#include "base/budget.h"
#include "verifier/model/channel.h"

namespace oddsbound::audits {

class DependenceWatch {
 public:
  /// All findings together are false with probability at most alpha, if runs are independent and those of a batch
  /// alike, whatever they draw from. The channel only says how long stretches have to be, and what would have been
  /// found.
  DependenceWatch(const Channel& channel, double alpha, Budget& budget);

  /// What follows is a pilot, which every shard runs, or other runs.
  void begin_stage(bool pilot);
  /// Blocks of other runs are compared by twos, an even one and the next; shards run both or neither.
  void begin_block(std::uint64_t number);
  /// Outputs of consecutive runs for one input, by their index.
  void see(std::uint64_t input, std::span<const std::uint32_t> outputs);
  /// How many runs of an input tell two starts apart; 0 if no number does.
  std::uint64_t runs_to_compare(std::uint64_t input) const { return stretch_[input]; }
  /// What the first runs of two starts gave.
  void compare_starts(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other);
  std::vector<std::string> findings() const;
  /// Whether any outputs were seen in their order.
  bool saw_any() const { return counts_.pilot.saw_any() || counts_.rest.saw_any(); }
  DependencePower power() const;

  /// What shards have to add up: of the pilot, which all of them ran, and of the rest.
  struct Counts {
    RepeatCounts pilot, rest;
    std::string same_start, repeated;
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
  double enough_orders_;
  std::vector<RowShape> shapes_;
  std::vector<std::size_t> stretch_;  // per input: how many outputs never come again in the same order by chance
  std::vector<std::unordered_set<std::string>> seen_;                     // in pilots
  std::unordered_set<std::string> block_;                                 // in other runs, since the last even block
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> before_;  // batches that wait for the next one
  std::size_t kept_ = 0;
  Counts counts_;
  bool pilot_ = true;
};

}  // namespace oddsbound::audits
