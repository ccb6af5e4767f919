#include "audits/dependence.h"

#include <algorithm>
#include <cmath>

namespace oddsbound {

namespace {

constexpr double kNever = 1e-12;               // chance of what cannot be chance
constexpr std::size_t kLongest = 4096;         // outputs in a stretch
constexpr std::size_t kMostKept = 16'000'000;  // bytes of stretches
constexpr double kBet = 0.25;

}  // namespace

DependenceWatch::DependenceWatch(const Channel& channel, double alpha, Budget& budget)
    : alpha_(alpha), rows_(rounded_rows(channel, budget)), seen_(channel.inputs()) {
  for (const auto& row : rows_) {
    double sum = 0;
    for (const double p : row) sum += p * p;
    collision_.push_back(sum);
    // Any two of 2^40 stretches.
    const double length = (std::log(kNever) - 80 * std::log(2.0)) / std::log(std::min(sum, 0.999999));
    stretch_.push_back(length < kLongest ? static_cast<std::size_t>(length) + 1 : 0);
  }
}

void DependenceWatch::see(std::uint64_t input, std::span<const std::uint32_t> outputs) {
  const auto& row = rows_[input];
  for (std::size_t lag = 1; lag <= kLags; ++lag) {
    double more = 0, less = 0;
    for (std::size_t i = lag; i < outputs.size(); ++i) {
      const double p = row[outputs[i - lag]];
      const double excess = (outputs[i] == outputs[i - lag] ? 1.0 : 0.0) - p;
      more += std::log1p(kBet * excess);
      less += std::log1p(-kBet * excess);
    }
    evidence_[lag - 1][0] += more;
    evidence_[lag - 1][1] += less;
  }
  const std::size_t length = stretch_[input];
  if (length == 0) return;
  for (std::size_t begin = 0; begin + length <= outputs.size() && kept_ < kMostKept; begin += length) {
    const std::string stretch(reinterpret_cast<const char*>(outputs.data() + begin), length * sizeof outputs[0]);
    kept_ += stretch.size();
    if (seen_[input].insert(stretch).second || !repeated_.empty()) continue;
    repeated_ = "the same " + std::to_string(length) + " outputs in a row were given twice for one input";
  }
}

std::uint64_t DependenceWatch::runs_to_compare(std::uint64_t input) const { return stretch_[input]; }

void DependenceWatch::compare_starts(std::uint64_t input, std::span<const std::uint32_t> one,
                                     std::span<const std::uint32_t> other) {
  if (stretch_[input] == 0 || one.size() < stretch_[input]) return;
  if (!std::equal(one.begin(), one.end(), other.begin(), other.end())) return;
  same_start_ = "two starts of the program with different seeds gave the same " + std::to_string(one.size()) +
                " outputs: its random generator does not use the seed of the request and begins the same every time";
}

std::vector<std::string> DependenceWatch::findings() const {
  std::vector<std::string> found;
  if (!same_start_.empty()) found.push_back(same_start_);
  if (!repeated_.empty()) found.push_back(repeated_);
  // The mean of all bets is one bet.
  double most = 0;
  std::size_t where = 0;
  for (std::size_t lag = 0; lag < kLags; ++lag) {
    for (const double evidence : evidence_[lag]) {
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
