#include "audits/repeats.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "mechanisms/random/choice.h"

namespace oddsbound::audits {

namespace {

constexpr std::size_t kBetSizes = 16;
constexpr double kLargestBet = 0.45;

// Counts differences in a packed register. Additions to an array would wait for one another.
class DifferenceCounter {
 public:
  void add(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    const int place = 2 + (a == b) + (c == d) - (a == d) - (c == b);
    packed_ += std::uint64_t{1} << (kBits * place);
    if (++held_ == kMost) flush();
  }
  void add_to(std::array<std::uint64_t, 5>& counts) {
    flush();
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += counts_[i];
  }

 private:
  static constexpr int kBits = 12;
  static constexpr std::uint32_t kMost = (1 << kBits) - 1;

  void flush() {
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += packed_ >> (kBits * i) & kMost;
    packed_ = 0;
    held_ = 0;
  }

  std::uint64_t packed_ = 0;
  std::uint32_t held_ = 0;
  std::array<std::uint64_t, 5> counts_{};
};

// Works outward from the middle of the batch: b is `lag` before a in the first half, d is `lag` after c in the
// second. Then b and d are farther out than everything looked at before, so they are new.
std::uint64_t count_lag(std::size_t lag, std::span<const std::uint32_t> outputs, std::array<std::uint64_t, 5>& counts) {
  const std::size_t half = outputs.size() / 2;
  if (half < 2 * lag) return 0;
  const std::uint32_t* const left = outputs.data() + half - 1;
  const std::uint32_t* const right = outputs.data() + half;
  DifferenceCounter counter;
  std::uint64_t fours = 0;
  for (std::size_t base = 0; base + 2 * lag <= half; base += 2 * lag) {
    for (std::size_t i = base; i < base + lag; ++i) {
      counter.add(*(left - i), *(left - i - lag), right[i], right[i + lag]);
    }
    fours += lag;
  }
  counter.add_to(counts);
  return fours;
}

std::uint64_t count_places(std::span<const std::uint32_t> before, std::span<const std::uint32_t> after,
                           std::array<std::uint64_t, 5>& counts) {
  const std::size_t fours = std::min(before.size(), after.size()) / 2;
  DifferenceCounter counter;
  for (std::size_t i = 0; i < fours; ++i) counter.add(before[i], after[i], before[fours + i], after[fours + i]);
  counter.add_to(counts);
  return fours;
}

// A bound on the rounding error. Logarithms are at most 2.4 in size; each is multiplied by a count. Summed in double,
// their error is below 2^-50 of the sum of sizes. The mean of all products adds less than 1e-9. The bound is the same
// for all audits of up to 2^40 runs.
double rounding_of(const RepeatCounts& counts) {
  std::uint64_t most = 0;
  for (const auto& row : counts.differences) {
    most = std::max(most, std::accumulate(row.begin(), row.end(), std::uint64_t{0}));
  }
  return std::max(0x1p-8, static_cast<double>(most) * 0x1p-47);
}

std::string words_of(std::size_t kind) {
  if (kind == kHalfBatch) return "outputs depend on the output half a batch before";
  if (kind == kBatchBefore) return "outputs depend on the output at the same place of the batch before";
  return "outputs depend on the output " + std::to_string(kind + 1) + " run" + (kind == 0 ? "" : "s") + " before";
}

}  // namespace

RepeatCounts& RepeatCounts::operator+=(const RepeatCounts& other) {
  runs += other.runs;
  for (std::size_t kind = 0; kind < kRepeatKinds; ++kind) {
    for (std::size_t d = 0; d < 5; ++d) differences[kind][d] += other.differences[kind][d];
  }
  for (std::size_t x = 0; x < within.size(); ++x) {
    within[x] += other.within[x];
    across[x] += other.across[x];
  }
  return *this;
}

bool RepeatCounts::saw_any() const {
  return std::any_of(differences.begin(), differences.end(), [](const auto& row) {
    return std::any_of(row.begin(), row.end(), [](std::uint64_t count) { return count > 0; });
  });
}

void RepeatCounts::count_batch(std::uint64_t input, std::span<const std::uint32_t> outputs) {
  runs += outputs.size();
  const std::size_t half = outputs.size() / 2;
  std::uint64_t fewest = count_places(outputs.first(half), outputs.last(half), differences[kHalfBatch]);
  for (std::size_t lag = 1; lag <= kRepeatLags; ++lag) {
    fewest = std::min(fewest, count_lag(lag, outputs, differences[lag - 1]));
  }
  within[input] += fewest;
}

void RepeatCounts::count_batches(std::uint64_t input, std::span<const std::uint32_t> before,
                                 std::span<const std::uint32_t> outputs) {
  across[input] += count_places(before, outputs, differences[kBatchBefore]);
}

std::vector<double> repeat_bets() {
  std::vector<double> bets;
  for (std::size_t size = 0; size < kBetSizes; ++size) {
    for (const double sign : {1.0, -1.0}) bets.push_back(std::ldexp(sign * kLargestBet, -static_cast<int>(size)));
  }
  return bets;
}

double log_product(const RepeatCounts& counts, std::size_t kind, double bet) {
  double sum = 0;
  for (int d = -2; d <= 2; ++d) {
    sum += static_cast<double>(counts.differences[kind][static_cast<std::size_t>(2 + d)]) * std::log1p(bet * d);
  }
  return sum;
}

double enough_log_product(const RepeatCounts& counts, double alpha) {
  return std::log(static_cast<double>(kRepeatKinds * repeat_bets().size())) - std::log(alpha) + rounding_of(counts);
}

std::string find_repeats(const RepeatCounts& counts, double alpha) {
  const std::vector<double> bets = repeat_bets();
  std::vector<double> logs;
  double most = -std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  for (std::size_t kind = 0; kind < kRepeatKinds; ++kind) {
    for (const double bet : bets) {
      logs.push_back(log_product(counts, kind, bet));
      if (logs.back() <= most) continue;
      most = logs.back();
      best = kind;
    }
  }
  double sum = 0;
  for (const double log : logs) sum += std::exp(log - most);
  const double evidence = most + std::log(sum / static_cast<double>(logs.size()));
  return evidence - rounding_of(counts) >= -std::log(alpha) ? words_of(best) : "";
}

namespace {

// Outputs of a request that is cut into parts. Smaller requests are blurred by rounding, and lost bets cost wealth.
constexpr std::size_t kSmallestCut = 1024;
// Number of divisions, including the true one. Many random divisions balance as well as exact proportions do, which
// the left-over outputs blur. So the test for the least difference uses fewer.
constexpr std::size_t kDivisions = 64, kDivisionsForLeast = 16;
constexpr double kStakes[] = {0.5, 0.125};

// log of the wealth after `bets` bets at the odds `divisions` : 1, of which `won` were won.
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
  // The second request may have one output less. Left-over outputs are ignored.
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
  // The factor 1 - 1e-6 exceeds the rounding error.
  if ((evidence[0] + evidence[1]) / kBets * (1 - 1e-6) < 1 / alpha) return "";
  return evidence[0] > evidence[1]
             ? "the counts of outputs vary less from request to request than those of independent runs"
             : "the counts of outputs vary more from request to request than those of independent runs";
}

}  // namespace oddsbound::audits
