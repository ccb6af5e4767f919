// Hadamard response on n symbols: symbol i owns row i + 1 of Sylvester's Hadamard matrix of order K, the least power of
// two above n (row 0 is all ones and has no owner), and answers with an output whose entry in its row is +1 with odds
// e^eps. Acharya, Sun and Zhang (2019); the context-aware LDP paper builds its schemes from it.
#pragma once

#include "mechanisms/mechanism.h"
#include "mechanisms/random/categorical.h"
#include "verifier/exact/level.h"

namespace oddsbound::mechanisms {

/// K: the least power of two above n.
std::uint64_t hadamard_order(std::uint64_t symbols);

/// The entry of a row is +1.
inline bool hadamard_positive(std::uint64_t row, std::uint64_t y) {
  return (static_cast<unsigned>(__builtin_popcountll(row & y)) & 1U) == 0;
}

/// 2e / (K (1 + e)) and 2 / (K (1 + e)): the entries where the row is +1 and -1.
struct HadamardEntries {
  Number positive, negative;
};
HadamardEntries hadamard_entries(std::uint64_t order, const Level& epsilon);

/// The response as a channel from n symbols to outputs 0..K-1.
ChannelPtr hadamard_channel(std::uint64_t symbols, const Level& epsilon);

/// Draws an output of a row: a sign with the odds, then one of the K/2 outputs of that sign.
class HadamardDraw {
 public:
  HadamardDraw(std::uint64_t order, const Level& epsilon);
  std::uint64_t operator()(std::uint64_t row, RandomSource& source) const {
    const bool positive = sign_(source) == 1;
    const std::uint64_t y = mechanisms::draw(UniformBelow(order_), source);
    // Flipping a bit that the row has flips the sign: it pairs the outputs of one sign with those of the other.
    return hadamard_positive(row, y) == positive ? y : y ^ (row & -row);
  }

 private:
  std::uint64_t order_;
  Bernoulli sign_;
};

}  // namespace oddsbound::mechanisms
