#include "mechanisms/random/choice.h"

#include <stdexcept>

namespace oddsbound {

Number UniformBelow::probability(std::uint64_t) const { return Number(1) / Number(static_cast<std::int64_t>(n_)); }

// u * n = whole + (fraction + r) / 2^width, where r < n is the rest of u, times n, in units of the last place. The
// carry is decided by the next word unless the sum is all ones; then by the one after it, and so on.
std::uint64_t UniformBelow::carry(RandomSource& source, std::uint64_t fraction) const {
  const unsigned width = source.width();
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
  if (n_ - 1 > mask) throw std::logic_error("words are too short for this choice");
  for (;;) {
    const auto product = static_cast<unsigned __int128>(source.word()) * n_;
    const auto sum = static_cast<unsigned __int128>(fraction) + static_cast<std::uint64_t>(product >> width);
    if (sum > mask) return 1;
    if (sum < mask) return 0;
    fraction = static_cast<std::uint64_t>(product) & mask;
    if (fraction <= mask - (n_ - 1)) return 0;
  }
}

Number BernoulliRatio::probability(std::uint64_t outcome) const {
  return Number::ratio(static_cast<std::int64_t>(outcome == 1 ? p_ : q_ - p_), static_cast<std::int64_t>(q_));
}

Number BernoulliExp::probability(std::uint64_t outcome) const {
  const Number one = Number::exp_of(-Number::ratio(static_cast<std::int64_t>(p_), static_cast<std::int64_t>(q_)));
  return outcome == 1 ? one : Number(1) - one;
}

std::uint64_t BernoulliExp::run(RandomSource& source) const {
  if (p_ > q_) {
    // exp(-p/q) = exp(-1)^floor(p/q) * exp(-rest), each factor a choice of its own.
    for (std::uint64_t i = 0; i < p_ / q_; ++i) {
      if (draw(BernoulliExp(1, 1), source) == 0) return 0;
    }
    return p_ % q_ == 0 ? 1 : draw(BernoulliExp(p_ % q_, q_), source);
  }
  // For g = p/q <= 1: of draws with probability g/1, g/2, g/3, ... the first k-1 succeed and the k-th fails with
  // probability g^(k-1)/(k-1)! - g^k/k!; over the odd k these sum to exp(-g).
  std::uint64_t k = 1;
  while (draw(BernoulliRatio(p_, q_ * k), source) == 1) ++k;
  return k % 2;
}

}  // namespace oddsbound
