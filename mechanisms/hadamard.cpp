#include "mechanisms/hadamard.h"

#include <bit>

#include "mechanisms/formulas.h"
#include "mechanisms/rule_channel.h"

namespace oddsbound::mechanisms {

namespace {

struct OwnRow {
  std::uint32_t slot(std::uint64_t x, std::uint64_t y) const { return hadamard_positive(x + 1, y) ? 0 : 1; }
  std::string label(std::uint64_t y) const { return std::to_string(y); }
};

}  // namespace

std::uint64_t hadamard_order(std::uint64_t symbols) { return std::bit_ceil(symbols + 1); }

HadamardEntries hadamard_entries(std::uint64_t order, const Level& epsilon) {
  const Number positive = odds_share(epsilon, Number(1), Number(1));
  const Number half = Number(2) / whole(order);
  return {positive * half, (Number(1) - positive) * half};
}

ChannelPtr hadamard_channel(std::uint64_t symbols, const Level& epsilon) {
  const std::uint64_t order = hadamard_order(symbols);
  const HadamardEntries entries = hadamard_entries(order, epsilon);
  return rule_channel(symbols, order, {entries.positive, entries.negative}, OwnRow{});
}

HadamardDraw::HadamardDraw(std::uint64_t order, const Level& epsilon)
    : order_(order), sign_(odds_share(epsilon, Number(1), Number(1))) {}

}  // namespace oddsbound::mechanisms
