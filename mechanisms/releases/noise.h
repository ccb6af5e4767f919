// The noise that counts are told with.
#pragma once

#include <string>

#include "mechanisms/random/gaussian.h"
#include "mechanisms/releases/loss.h"

namespace oddsbound::mechanisms {

class Noise {
 public:
  enum class Kind { kLaplace, kGaussian };
  /// parameter: the scale, or the variance.
  Noise(Kind kind, SmallRatio parameter) : kind_(kind), parameter_(parameter) {}

  /// "Laplace noise of scale 8"
  std::string words() const;
  /// What the choices state differently from what is drawn; empty: nothing.
  std::string remark() const;
  /// Of so many numbers that change by 1.
  Loss loss(std::uint64_t changed) const;
  /// 95 % of all draws are within; rounded up.
  double margin() const;
  /// Noise beyond is as good as never drawn: 40 scales, or as far as ClampedGaussian::reach_of.
  std::uint64_t window() const;
  /// A number with noise, moved into low..high.
  std::int64_t added(std::int64_t number, std::int64_t low, std::int64_t high, RandomSource& source) const;

 private:
  Kind kind_;
  SmallRatio parameter_;
};

}  // namespace oddsbound::mechanisms
