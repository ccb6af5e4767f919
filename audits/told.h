// Outputs that are numbers, each about something (mechanisms/unlisted.h), in audits: what of them a score is learned
// from, besides a logistic regression.
#pragma once

#include <unordered_map>
#include <vector>

#include "audits/features.h"

namespace oddsbound::audits {

/// What numbers are about, of those that were told most often, in order of their keys.
std::vector<ToldKey> keys_told(const KeptOutputs& outputs);

/// How likely each number alone is under either of two sides: its shares of ranges of equal mass, or of not being told.
/// Logarithms of their quotients add up where noises are independent. Numbers that do not differ by more than chance
/// count nothing.
class ToldFrequencies {
 public:
  /// Learns from the first `count` outputs; first: the side whose log-ratio is positive. ranges: how many at most; two
  /// are all that Laplace noise needs, and the fewer there are the better each is known.
  ToldFrequencies(const std::vector<ToldKey>& keys, std::uint32_t first, const KeptOutputs& outputs, std::size_t count,
                  std::size_t ranges);
  double log_ratio(const Output& output) const;

 private:
  struct About {
    std::vector<double> ends;    // of ranges: the last number in each, but for the last range
    std::vector<double> ratios;  // of ranges
    double absent = 0;
  };
  void learn(ToldKey key, const std::vector<double>& first, const std::vector<double>& second, std::size_t firsts,
             std::size_t seconds);

  std::size_t ranges_;
  std::unordered_map<ToldKey, About> about_;
  double none_told_ = 0;  // the log-ratio where nothing is told
};

}  // namespace oddsbound::audits
