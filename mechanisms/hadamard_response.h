// Hadamard response on n symbols (Acharya, Sun and Zhang 2019): symbol i owns row i + 1 of Sylvester's Hadamard
// matrix of order K, the least power of two above n (row 0 is all ones and has no owner). The output is one whose
// entry in this row is +1 with odds e^eps. The context-aware LDP paper builds its schemes from it; they are in
// hadamard_response.cpp.
#pragma once

#include "mechanisms/mechanism.h"
#include "mechanisms/random/categorical.h"
#include "verifier/exact/level.h"

namespace oddsbound::mechanisms {

/// Returns K: the least power of two above n.
std::uint64_t hadamard_order(std::uint64_t symbols);

/// Whether the entry of a row is +1.
inline bool hadamard_positive(std::uint64_t row, std::uint64_t y) {
  return (static_cast<unsigned>(__builtin_popcountll(row & y)) & 1U) == 0;
}

/// The probabilities 2e / (K (1 + e)) and 2 / (K (1 + e)) of outputs where the row is +1 and -1, with e = e^eps.
struct HadamardEntries {
  Number positive, negative;
};
HadamardEntries hadamard_entries(std::uint64_t order, const Level& epsilon);

/// Returns the response as a channel from n symbols to outputs 0..K-1.
ChannelPtr hadamard_channel(std::uint64_t symbols, const Level& epsilon);

/// Draws an output for a row: the sign with odds e^eps, then one of the K/2 outputs of that sign.
class HadamardDraw {
 public:
  HadamardDraw(std::uint64_t order, const Level& epsilon);
  std::uint64_t operator()(std::uint64_t row, RandomSource& source) const {
    const bool positive = sign_(source) == 1;
    const std::uint64_t y = mechanisms::draw(UniformBelow(order_), source);
    // Flipping a bit that the row has flips the sign: this pairs the outputs of one sign with those of the other.
    return hadamard_positive(row, y) == positive ? y : y ^ (row & -row);
  }

 private:
  std::uint64_t order_;
  Bernoulli sign_;
};

}  // namespace oddsbound::mechanisms
