#include "audits/batch_spread.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mechanisms/random/choice.h"

namespace oddsbound::audits {

namespace {

// Outputs of a request that is cut into parts. Rounding blurs what smaller ones show, and lost bets cost.
constexpr std::size_t kSmallestCut = 1024;
// The true division among them. Of many random ones some balance as well as exact proportions do, which are blurred by
// the outputs that are left over: few are better there.
constexpr std::size_t kDivisions = 64, kDivisionsForLeast = 16;
constexpr double kStakes[] = {0.5, 0.125};

// The logarithm of bets with the odds of all divisions against one, of which `won` were won.
double log_of_bets(std::uint64_t bets, std::uint64_t won, std::size_t divisions, double stake) {
  return static_cast<double>(won) * std::log1p(stake * (static_cast<double>(divisions) - 1)) +
         static_cast<double>(bets - won) * std::log1p(-stake);
}

}  // namespace

SpreadCounts& SpreadCounts::operator+=(const SpreadCounts& other) {
  pairs += other.pairs;
  for (std::size_t set = 0; set < kSpreadSets; ++set) {
    least[set] += other.least[set];
    greatest[set] += other.greatest[set];
  }
  return *this;
}

void BatchesOfBlock::see(const OutputSets& sets, std::uint64_t input, std::span<const std::uint32_t> outputs) {
  if (outputs.size() < kSmallestCut) return;
  std::vector<Pair>& pairs = inputs_[input];
  const bool waits = !pairs.empty() && pairs.back().parts.size() == kParts;
  // The second one may be for one output less; those that are left over are not looked at.
  if (!waits || outputs.size() > pairs.back().size || outputs.size() + 1 < pairs.back().size) {
    pairs.push_back({outputs.size(), {}});
  }
  const std::size_t length = (pairs.back().size - 1) / kParts;
  for (std::size_t part = 0; part < kParts; ++part) {
    std::array<std::uint64_t, kSpreadSets> counts{};
    for (const std::uint32_t y : outputs.subspan(part * length, length)) {
      counts[0] += sets.is_in(0, input, y) ? 1 : 0;
      counts[1] += y % 2;
    }
    pairs.back().parts.push_back(counts);
  }
}

void BatchesOfBlock::count(RandomSource& source, SpreadCounts& counts) const {
  for (const auto& [input, pairs] : inputs_) {
    for (const Pair& pair : pairs) {
      if (pair.parts.size() != 2 * kParts) continue;
      std::array<std::int64_t, kSpreadSets> least{}, greatest{}, truth{};
      std::vector<std::size_t> order(2 * kParts);
      std::iota(order.begin(), order.end(), std::size_t{0});
      for (std::size_t division = 0; division < kDivisions; ++division) {
        for (std::size_t i = order.size(); division > 0 && i > 1; --i) {
          std::swap(order[i - 1], order[UniformBelow(i).run(source)]);
        }
        for (std::size_t set = 0; set < kSpreadSets; ++set) {
          std::int64_t difference = 0;
          for (std::size_t i = 0; i < order.size(); ++i) {
            const auto count = static_cast<std::int64_t>(pair.parts[order[i]][set]);
            difference += i < kParts ? count : -count;
          }
          difference = std::abs(difference);
          if (division == 0) {
            truth[set] = difference;
          } else if (division == 1) {
            least[set] = greatest[set] = difference;
          } else {
            if (division < kDivisionsForLeast) least[set] = std::min(least[set], difference);
            greatest[set] = std::max(greatest[set], difference);
          }
        }
      }
      ++counts.pairs;
      for (std::size_t set = 0; set < kSpreadSets; ++set) {
        counts.least[set] += truth[set] < least[set] ? 1 : 0;
        counts.greatest[set] += truth[set] > greatest[set] ? 1 : 0;
      }
    }
  }
}

std::string find_odd_spread(const SpreadCounts& counts, double alpha) {
  std::array<double, 2> evidence{};  // of both directions: sums of products
  for (std::size_t set = 0; set < kSpreadSets; ++set) {
    for (const double stake : kStakes) {
      evidence[0] += std::exp(std::min(300.0, log_of_bets(counts.pairs, counts.least[set], kDivisionsForLeast, stake)));
      evidence[1] += std::exp(std::min(300.0, log_of_bets(counts.pairs, counts.greatest[set], kDivisions, stake)));
    }
  }
  constexpr double kBets = 2 * kSpreadSets * std::size(kStakes);
  // The last factor is more than rounding may add.
  if ((evidence[0] + evidence[1]) / kBets * (1 - 1e-6) < 1 / alpha) return "";
  return evidence[0] > evidence[1]
             ? "the counts of outputs vary less from request to request than those of independent runs"
             : "the counts of outputs vary more from request to request than those of independent runs";
}

}  // namespace oddsbound::audits
