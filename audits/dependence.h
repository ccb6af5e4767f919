// Are the runs of a program independent of one another? Seen from outputs in their order: two starts with different
// seeds that give the same outputs, stretches of outputs that come again, and outputs that repeat (or avoid) the one a
// few runs before. All of it compares the order of outputs with other orders of the same outputs, so a sampler whose
// runs are independent is not blamed for drawing from another channel than the stated one.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "verifier/exact/budget.h"
#include "verifier/model/channel.h"

namespace oddsbound {

class DependenceWatch {
 public:
  /// All findings together are false with probability at most alpha, if runs are independent, whatever each draws from.
  /// The channel only says how long stretches have to be.
  DependenceWatch(const Channel& channel, double alpha, Budget& budget);

  /// What follows is a pilot, or other runs: stretches are compared with those of pilots, and within a block.
  void begin_stage(bool pilot) { pilot_ = pilot; }
  void begin_block() { block_.clear(); }
  /// Outputs of consecutive runs for one input, by their index.
  void see(std::uint64_t input, std::span<const std::uint32_t> outputs);
  /// How many runs of an input tell two starts apart; 0 if no number does.
  std::uint64_t runs_to_compare(std::uint64_t input) const { return stretch_[input]; }
  /// What the first runs of two starts gave.
  void compare_starts(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other);
  std::vector<std::string> findings() const;
  /// Whether any outputs were seen in their order.
  bool saw_any() const { return saw_any_; }

  /// How often outputs repeated the one 1, 2, ... runs before, against those elsewhere: -2 to 2 times more.
  static constexpr std::size_t kLags = 4;
  using Differences = std::array<std::array<std::uint64_t, 5>, kLags>;
  /// What shards have to add up: of the pilot, which all of them ran, and of the rest.
  struct Counts {
    Differences pilot{}, rest{};
    std::string same_start, repeated;
  };
  const Counts& counts() const { return counts_; }
  void add_shard(const Counts& counts);
  DependenceWatch(double alpha, const Counts& counts);

 private:
  double alpha_;
  std::vector<std::size_t> stretch_;  // per input: how many outputs never come again in the same order by chance
  std::vector<std::unordered_set<std::string>> seen_;  // in pilots
  std::unordered_set<std::string> block_;
  std::size_t kept_ = 0;
  Counts counts_;
  bool pilot_ = true;
  bool saw_any_ = false;
};

}  // namespace oddsbound
