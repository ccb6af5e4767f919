// The exponential mechanism's choice: one of many, with probability that grows with its score.
#pragma once

#include <memory>
#include <vector>

#include "mechanisms/random/laplace.h"

namespace oddsbound::mechanisms {

/// P(i) ~ exp(rate * score_i / 2^bits), for scores that are integers from 0 on. By rejection: one of all, kept with
/// probability exp(rate * (score_i - the largest) / 2^bits), which takes as many draws as there are scores at most, on
/// average. There is a score at least; bits are 20 at most.
class Selection final : public RetriedChoice {
 public:
  Selection(SmallRatio rate, unsigned bits, std::vector<std::uint64_t> scores);

  Key key() const override;
  std::string describe() const override;
  std::uint64_t outcomes() const override { return scores_.size(); }
  Number probability(std::uint64_t outcome) const override;
  bool attempt(RandomSource& source, std::uint64_t& outcome) const override;

 private:
  /// exp(-this) is how much less likely it is than the likeliest.
  Number behind(std::uint64_t outcome) const;

  SmallRatio rate_;
  unsigned bits_;
  std::vector<std::uint64_t> scores_;
  std::uint64_t most_;
};

}  // namespace oddsbound::mechanisms
