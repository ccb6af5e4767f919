// Shuffled reports of one bit: the algorithm that shuffled_reports.h describes for two classes of reports.
#pragma once

#include <cstdint>
#include <string>

#include "base/budget.h"
#include "verifier/engine/loss_grid.h"
#include "verifier/exact/number.h"

namespace oddsbound::engine {

/// One person sends the bit 1 with probability p or q < p, the others with probability `low` or `high`.
struct ShuffledBits {
  Number low, high;
  Number p, q;
  std::uint64_t people = 1;
};

/// The event of at least `least` bits among all.
struct BitEvent {
  std::uint64_t high = 0;   // the number of other people who send 1 with probability `high`
  std::uint64_t least = 0;  // more than the number of people: no event has an excess
  Number p, q;              // of the event, if the excess is exact
  NumberBounds excess;
  std::string reason{};  // why it is not
};

/// The largest factor for which sums in doubles are bounded.
constexpr double kLargestScannedFactor = 1e30;
/// Returns the largest excess P - factor Q over all inputs of the other people and all events, for a factor from 1 to
/// kLargestScannedFactor. It is exact unless its numbers would be too long. Throws LimitError past the budget.
BitEvent largest_excess_of_bits(const ShuffledBits& bits, const Number& factor, Budget& budget);

}  // namespace oddsbound::engine
