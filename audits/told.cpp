#include "audits/told.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace oddsbound::audits {

namespace {

constexpr std::size_t kMostKeys = 256;

// How often each range was told of either side; beyond the last one, how often nothing was.
struct RangeCounts {
  std::vector<double> first, second;

  // Beyond chance, which is the number of ranges but one with a variance of twice that.
  bool differ() const {
    const double firsts = total(first), seconds = total(second);
    double distance = 0, ranges = -1;
    for (std::size_t r = 0; r < first.size(); ++r) {
      const double both = first[r] + second[r];
      if (both == 0) continue;
      ++ranges;
      const double expected = both * firsts / (firsts + seconds);
      distance += (first[r] - expected) * (first[r] - expected) * (firsts + seconds) / (expected * seconds);
    }
    constexpr double kErrors = 3;
    return ranges > 0 && distance > ranges + kErrors * std::sqrt(2 * ranges);
  }
  double log_ratio(std::size_t r) const {
    const auto share = [&](const std::vector<double>& counts) {
      return (counts[r] + 0.5) / (total(counts) + 0.5 * static_cast<double>(counts.size()));
    };
    return std::log(share(first) / share(second));
  }

 private:
  static double total(const std::vector<double>& counts) {
    double sum = 0;
    for (const double count : counts) sum += count;
    return sum;
  }
};

std::vector<double> ends_of_ranges(const std::vector<double>& a, const std::vector<double>& b, std::size_t ranges) {
  std::vector<double> all(a);
  all.insert(all.end(), b.begin(), b.end());
  std::sort(all.begin(), all.end());
  // The greatest number ends no range, but whatever is below it may.
  const auto greatest = std::lower_bound(all.begin(), all.end(), all.back());
  std::vector<double> ends;
  for (std::size_t r = 1; r < ranges && greatest != all.begin(); ++r) {
    const double end = std::min(all[r * all.size() / ranges], *std::prev(greatest));
    if (ends.empty() || end > ends.back()) ends.push_back(end);
  }
  return ends;
}

std::size_t range_of(const std::vector<double>& ends, double number) {
  return static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), number) - ends.begin());
}

std::vector<double> counts_of(const std::vector<double>& ends, const std::vector<double>& numbers, std::size_t runs) {
  std::vector<double> counts(ends.size() + 2);
  for (const double number : numbers) ++counts[range_of(ends, number)];
  counts.back() = static_cast<double>(runs - numbers.size());
  return counts;
}

}  // namespace

std::vector<ToldKey> keys_told(const KeptOutputs& outputs) {
  std::map<ToldKey, std::size_t> seen;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (const ToldKey key : outputs.words[i]) ++seen[key];
  }
  std::vector<std::pair<std::size_t, ToldKey>> common;
  for (const auto& [key, times] : seen) common.emplace_back(times, key);
  std::sort(common.rbegin(), common.rend());
  common.resize(std::min(common.size(), kMostKeys));
  std::vector<ToldKey> keys;
  for (const auto& [times, key] : common) keys.push_back(key);
  std::sort(keys.begin(), keys.end());
  return keys;
}

ToldFrequencies::ToldFrequencies(const std::vector<ToldKey>& keys, std::uint32_t first, const KeptOutputs& outputs,
                                 std::size_t count, std::size_t ranges)
    : ranges_(ranges) {
  std::unordered_map<ToldKey, std::vector<double>> told[2];
  std::size_t runs[2] = {0, 0};
  for (std::size_t i = 0; i < count; ++i) {
    const int side = outputs.side[i] == first ? 0 : 1;
    ++runs[side];
    for (std::size_t k = 0; k < outputs.words[i].size(); ++k) {
      told[side][outputs.words[i][k]].push_back(outputs.values[i][k]);
    }
  }
  for (const ToldKey key : keys) learn(key, told[0][key], told[1][key], runs[0], runs[1]);
}

void ToldFrequencies::learn(ToldKey key, const std::vector<double>& first, const std::vector<double>& second,
                            std::size_t firsts, std::size_t seconds) {
  if (first.empty() && second.empty()) return;
  About about{ends_of_ranges(first, second, ranges_), {}};
  const RangeCounts counts{counts_of(about.ends, first, firsts), counts_of(about.ends, second, seconds)};
  if (!counts.differ()) return;
  for (std::size_t r = 0; r <= about.ends.size(); ++r) about.ratios.push_back(counts.log_ratio(r));
  about.absent = counts.log_ratio(about.ends.size() + 1);
  none_told_ += about.absent;
  about_.emplace(key, std::move(about));
}

double ToldFrequencies::log_ratio(const Output& output) const {
  double sum = none_told_;
  for (std::size_t k = 0; k < output.words.size(); ++k) {
    const auto found = about_.find(output.words[k]);
    if (found == about_.end()) continue;
    const About& about = found->second;
    sum += about.ratios[range_of(about.ends, output.values[k])] - about.absent;
  }
  return sum;
}

}  // namespace oddsbound::audits
