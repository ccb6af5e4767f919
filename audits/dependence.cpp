#include "audits/dependence.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace oddsbound {

namespace {

// Orders of a stretch among which one comes again by chance with probability below 1e-12, for any two of 2^40.
const double kEnoughOrders = 12 * std::log(10.0) + 80 * std::log(2.0);
constexpr std::size_t kLongest = 4096;         // outputs in a stretch
constexpr std::size_t kMostKept = 16'000'000;  // bytes of stretches
constexpr double kBet = 0.2;

// The logarithm of how many orders the outputs have. Of independent runs all are equally likely.
double log_orders(std::span<const std::uint32_t> outputs) {
  std::map<std::uint32_t, std::size_t> counts;
  for (const std::uint32_t y : outputs) ++counts[y];
  double sum = std::lgamma(static_cast<double>(outputs.size()) + 1);
  for (const auto& [y, count] : counts) sum -= std::lgamma(static_cast<double>(count) + 1);
  return sum;
}

}  // namespace

DependenceWatch::DependenceWatch(const Channel& channel, double alpha, Budget& budget)
    : alpha_(alpha), seen_(channel.inputs()) {
  for (const auto& row : rounded_rows(channel, budget)) {
    double entropy = 0;
    for (const double p : row) entropy -= p > 0 ? p * std::log(p) : 0;
    // Some more than the mean number of orders asks for.
    const double length = 1.3 * kEnoughOrders / std::max(entropy, 1e-9) + 16;
    stretch_.push_back(length < kLongest ? static_cast<std::size_t>(length) : 0);
  }
}

DependenceWatch::DependenceWatch(double alpha, const Counts& counts) : alpha_(alpha), counts_(counts) {
  for (const auto& row : counts.pilot) {
    saw_any_ = saw_any_ || std::any_of(row.begin(), row.end(), [](std::uint64_t count) { return count > 0; });
  }
}

void DependenceWatch::see(std::uint64_t input, std::span<const std::uint32_t> outputs) {
  // Two outputs `lag` apart in the first half and two in the second: they match as often as when the later ones are
  // exchanged, so the difference is as often positive as negative.
  const std::size_t half = outputs.size() / 2;
  saw_any_ = saw_any_ || half > 1;
  Differences& differences = pilot_ ? counts_.pilot : counts_.rest;
  for (std::size_t lag = 1; lag <= kLags; ++lag) {
    for (std::size_t base = 0; base + 2 * lag <= half; base += 2 * lag) {
      for (std::size_t i = base; i < base + lag; ++i) {
        const std::uint32_t a = outputs[i], b = outputs[i + lag], c = outputs[half + i], d = outputs[half + i + lag];
        ++differences[lag - 1][static_cast<std::size_t>(2 + (a == b) + (c == d) - (a == d) - (c == b))];
      }
    }
  }
  const std::size_t length = stretch_[input];
  if (length == 0) return;
  for (std::size_t begin = 0; begin + length <= outputs.size(); begin += length) {
    const auto stretch = outputs.subspan(begin, length);
    std::string bytes(reinterpret_cast<const char*>(stretch.data()), stretch.size_bytes());
    bool again = seen_[input].contains(bytes);
    if (!pilot_) {
      again = again || !block_.insert(std::to_string(input) + " " + bytes).second;
    } else if (kept_ < kMostKept) {
      kept_ += bytes.size();
      seen_[input].insert(std::move(bytes));
    }
    if (!again || !counts_.repeated.empty() || log_orders(stretch) < kEnoughOrders) continue;
    counts_.repeated = "the same " + std::to_string(length) + " outputs in a row were given twice for one input";
  }
}

void DependenceWatch::compare_starts(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other) {
  if (!std::equal(one.begin(), one.end(), other.begin(), other.end()) || log_orders(one) < kEnoughOrders) return;
  counts_.same_start =
      "two starts of the program with different seeds gave the same " + std::to_string(one.size()) +
      " outputs: its random generator does not use the seed of the request and begins the same every time";
}

void DependenceWatch::add_shard(const Counts& counts) {
  for (std::size_t lag = 0; lag < kLags; ++lag) {
    for (std::size_t d = 0; d < 5; ++d) counts_.rest[lag][d] += counts.rest[lag][d];
  }
  if (counts_.same_start.empty()) counts_.same_start = counts.same_start;
  if (counts_.repeated.empty()) counts_.repeated = counts.repeated;
}

std::vector<std::string> DependenceWatch::findings() const {
  std::vector<std::string> found;
  if (!counts_.same_start.empty()) found.push_back(counts_.same_start);
  if (!counts_.repeated.empty()) found.push_back(counts_.repeated);
  // The mean of all bets, a part of the wealth on each, is one bet.
  double most = 0;
  std::size_t where = 0;
  for (std::size_t lag = 0; lag < kLags; ++lag) {
    for (const double bet : {kBet, -kBet}) {
      double evidence = 0;
      for (int d = -2; d <= 2; ++d) {
        const auto place = static_cast<std::size_t>(2 + d);
        evidence += static_cast<double>(counts_.pilot[lag][place] + counts_.rest[lag][place]) * std::log1p(bet * d);
      }
      if (evidence > most) {
        most = evidence;
        where = lag + 1;
      }
    }
  }
  // The margin is far above what sums of as many rounded logarithms may be off.
  if (most - std::log(2.0 * kLags) - 1e-3 >= -std::log(alpha_)) {
    found.push_back("outputs depend on the output " + std::to_string(where) + " run" + (where == 1 ? "" : "s") +
                    " before");
  }
  return found;
}

}  // namespace oddsbound
