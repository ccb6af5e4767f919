#include "mechanisms/random/choice.h"

#include <stdexcept>

namespace oddsbound::mechanisms {

namespace {

Number whole(std::uint64_t value) {
  return Number(static_cast<std::int64_t>(value >> 1)) * Number(2) + Number(static_cast<std::int64_t>(value & 1));
}

}  // namespace

Number UniformBelow::probability(std::uint64_t) const { return Number(1) / whole(n_); }

std::uint64_t UniformBelow::carry(RandomSource& source, std::uint64_t fraction) const {
  const unsigned width = source.width();
  if (n_ - 1 > UniformStep::mask(width)) throw std::logic_error("words are too short for this choice");
  for (;;) {
    const Carry carry = UniformStep::next<std::uint64_t>(source.word(), n_, width, fraction);
    if (carry != Carry::kOpen) return carry == Carry::kOne ? 1 : 0;
  }
}

Number BernoulliRatio::probability(std::uint64_t outcome) const {
  return whole(outcome == 1 ? p_ : q_ - p_) / whole(q_);
}

Number BernoulliExp::probability(std::uint64_t outcome) const {
  const Number one = Number::exp_of(-Number::ratio(static_cast<std::int64_t>(p_), static_cast<std::int64_t>(q_)));
  return outcome == 1 ? one : Number(1) - one;
}

std::uint64_t BernoulliExp::run(RandomSource& source) const {
  if (p_ > q_) {
    // exp(-p/q) = exp(-1)^floor(p/q) * exp(-rest); each factor is a separate choice.
    for (std::uint64_t i = 0; i < p_ / q_; ++i) {
      if (draw(BernoulliExp(1, 1), source) == 0) return 0;
    }
    return p_ % q_ == 0 ? 1 : draw(BernoulliExp(p_ % q_, q_), source);
  }
  // For g = p/q <= 1: draw with probabilities g/1, g/2, g/3, ... The first k-1 draws succeed and the k-th fails
  // with probability g^(k-1)/(k-1)! - g^k/k!; over the odd k these sum to exp(-g).
  std::uint64_t k = 1;
  while (draw(BernoulliRatio(p_, q_ * k), source) == 1) ++k;
  return k % 2;
}

}  // namespace oddsbound::mechanisms
