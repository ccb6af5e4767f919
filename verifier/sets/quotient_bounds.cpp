#include "verifier/sets/quotient_bounds.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace oddsbound::sets {

namespace {

// What mean_bounds.h takes: what is smaller counts as 0 where that makes a bound larger, else as this.
constexpr double kLeastEntry = 1e-150;
constexpr double kMostEntry = 1e150;

double entry_below(double entry) { return entry < kLeastEntry ? 0 : std::min(entry, kMostEntry); }
double entry_above(double entry) {
  if (entry == 0) return 0;
  return entry > kMostEntry ? kNoMean : std::max(entry, kLeastEntry);
}

}  // namespace

QuotientBounds::QuotientBounds(const ProductColumns& columns, const Suffixes& suffixes, const MeanBounds& means,
                               LossKernel& kernel)
    : columns_(columns), suffixes_(suffixes), means_(means), kernel_(kernel) {
  std::vector<std::uint32_t> at;
  for (std::size_t r = 0; r < columns.seen().rows.size(); ++r) at.push_back(suffixes.root(r));
  suffix_of_.push_back(at);
  for (std::size_t depth = 0; depth < suffixes.depths(); ++depth) {
    for (std::uint32_t& suffix : at) suffix = suffixes.layer(depth).next[suffix];
    suffix_of_.push_back(at);
  }
}

std::optional<std::vector<double>> QuotientBounds::weights_at(std::span<const std::uint32_t> path) const {
  std::vector<double> weights(columns_.seen().rows.size(), 1);
  for (std::size_t depth = 0; depth < path.size(); ++depth) {
    const std::vector<double>& entries = suffixes_.entries(depth)[path[depth]];
    double most = 0;
    for (std::size_t r = 0; r < weights.size(); ++r) {
      if (weights[r] == 0) continue;
      const double entry = entries[suffixes_.layer(depth).seen[suffix_of_[depth][r]]];
      weights[r] *= entry;
      // What underflows to 0 is not impossible, and says nothing.
      if (entry != 0 && !(weights[r] > ratios::kSmall && weights[r] < ratios::kLarge)) return std::nullopt;
      most = std::max(most, weights[r]);
    }
    if (most == 0) return weights;
    const double scale = std::ldexp(1.0, -std::ilogb(most));  // a power of two, which rounds nothing
    for (double& weight : weights) {
      if (weight != 0 && weight * scale < ratios::kSmall) return std::nullopt;
      weight *= scale;
    }
  }
  return weights;
}

// The least mean, given `to`, of what one suffix guarantees of each row.
void QuotientBounds::reach(std::size_t depth, const std::vector<double>& weights, std::uint32_t suffix, std::size_t to,
                           std::span<double> by_part) {
  const double* kept = kernel_.row(depth, suffix);
  const ProductColumns::RowsOfLabel& rows = columns_.labels()[to];
  const std::vector<std::uint32_t>& suffix_of = suffix_of_[depth];
  const auto entry = [&](std::size_t row) { return entry_below(weights[row] * kept[suffix_of[row]]); };
  column_.resize(rows.named);
  for (std::size_t k = 0; k < rows.named; ++k) column_[k] = entry(rows.first + k);
  means_.least(to, column_, rows.others ? entry(rows.smallest()) : 0, by_part);
}

double QuotientBounds::largest_below(std::size_t depth, const std::vector<double>& weights, std::size_t from,
                                     std::size_t to) {
  const std::size_t parts = means_.parts();
  const ProductColumns::RowsOfLabel& rows = columns_.labels()[from];
  const std::size_t count = rows.named + (rows.others ? 1 : 0);
  std::unordered_map<std::uint32_t, std::size_t> known;  // by suffix, where what it reaches begins
  std::vector<double> reached;
  std::vector<std::size_t> place(count, 0);
  for (std::size_t k = 0; k < count; ++k) {
    if (weights[rows.first + k] == 0) continue;
    const std::uint32_t suffix = suffix_of_[depth][rows.first + k];
    const auto [found, added] = known.emplace(suffix, reached.size());
    place[k] = found->second;
    if (!added) continue;
    reached.resize(reached.size() + parts);
    reach(depth, weights, suffix, to, std::span(reached).last(parts));
  }
  double most = 0;
  std::vector<double> column(count);
  for (std::size_t part = 0; part < parts; ++part) {
    for (std::size_t k = 0; k < count; ++k) {
      const double weight = weights[rows.first + k];
      column[k] = weight == 0 ? 0 : entry_above(weight / reached[place[k] + part]);
    }
    const double elsewhere = rows.others ? column[rows.named] : 0;
    // The largest of all is above every entry, but for rounding.
    most = std::max(
        most, means_.most(part, from, std::span(column).first(rows.named),
                          rows.others ? std::max(elsewhere, *std::max_element(column.begin(), column.end())) : 0));
  }
  return most * (1 + 8 * suffixes_.error());
}

}  // namespace oddsbound::sets
