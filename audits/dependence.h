// Are the runs of a program independent of one another? Seen from outputs in their order, under the stated channel:
// two starts with different seeds that give the same outputs, stretches of outputs that come again, and outputs that
// follow from the one a few runs before.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "verifier/exact/budget.h"
#include "verifier/model/channel.h"

namespace oddsbound {

class DependenceWatch {
 public:
  /// All findings together are false with probability at most alpha, if runs are independent and drawn from the stated
  /// channel.
  DependenceWatch(const Channel& channel, double alpha, Budget& budget);

  /// Outputs of consecutive runs for one input, by their index.
  void see(std::uint64_t input, std::span<const std::uint32_t> outputs);
  /// How many runs of an input tell two starts apart; 0 if no number does.
  std::uint64_t runs_to_compare(std::uint64_t input) const;
  /// What the first runs of two starts gave.
  void compare_starts(std::uint64_t input, std::span<const std::uint32_t> one, std::span<const std::uint32_t> other);
  std::vector<std::string> findings() const;

 private:
  static constexpr std::size_t kLags = 4;

  double alpha_;
  std::vector<std::vector<double>> rows_;  // stated, [input][output]
  std::vector<double> collision_;          // per input: the probability that two runs agree
  std::vector<std::size_t> stretch_;       // per input: how many outputs never come again by chance
  std::vector<std::unordered_set<std::string>> seen_;
  std::size_t kept_ = 0;
  // The logarithm of evidence that outputs repeat (or avoid) the one `lag` runs before.
  double evidence_[kLags][2] = {};
  std::string same_start_, repeated_;
};

}  // namespace oddsbound
