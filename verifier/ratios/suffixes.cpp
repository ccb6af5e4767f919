#include "verifier/ratios/suffixes.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/errors.h"

namespace oddsbound::ratios {

namespace {

// Below it doubles begin to lose bits.
constexpr double kTiny = 1e-290;

std::vector<std::vector<double>> approximated(const SeenFactor& factor) {
  std::vector<std::vector<double>> entries;
  for (const auto& column : factor.entries) {
    entries.emplace_back();
    for (const Number& entry : column) {
      const double value = entry.approx();
      entries.back().push_back(value == 0 && !entry.is_zero() ? kInfinity : value);
    }
  }
  return entries;
}

// Where doubles do not reach: as if any two classes were told apart for certain, which makes bounds larger.
std::vector<double> only_equal(std::size_t classes) {
  std::vector<double> least(classes * classes, 0);
  for (std::size_t c = 0; c < classes; ++c) least[c * classes + c] = 1;
  return least;
}

// [from * classes + to]: the least P(y given to) / P(y given from) over the outputs that are possible from `from`.
std::vector<double> least_ratios(const std::vector<std::vector<double>>& entries, std::size_t classes) {
  std::vector<double> least(classes * classes, kInfinity);
  for (const std::vector<double>& column : entries) {
    if (std::count(column.begin(), column.end(), kInfinity) > 0) return only_equal(classes);
    for (std::size_t from = 0; from < classes; ++from) {
      if (column[from] == 0) continue;
      for (std::size_t to = 0; to < classes; ++to) {
        double& kept = least[from * classes + to];
        kept = std::min(kept, column[to] / column[from]);
      }
    }
  }
  return least;
}

}  // namespace

Suffixes::Suffixes(const SeenRows& seen, std::vector<std::size_t> order, Budget& budget) : order_(std::move(order)) {
  const std::size_t depths = order_.size();
  layers_.resize(depths + 1);
  layers_[depths].size = 1;
  layers_[depths].kernel = {1};
  root_.assign(seen.rows.size(), 0);
  for (const std::size_t f : order_) entries_.push_back(approximated(seen.factors[f]));
  for (std::size_t depth = depths; depth-- > 0;) {
    SuffixLayer& layer = layers_[depth];
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
    for (std::size_t r = 0; r < root_.size(); ++r) {
      const std::uint32_t own = seen.rows[r].classes[order_[depth]];
      const auto [place, added] = known.emplace(std::pair(own, root_[r]), static_cast<std::uint32_t>(layer.size));
      if (added) {
        layer.seen.push_back(own);
        layer.next.push_back(root_[r]);
        ++layer.size;
      }
      root_[r] = place->second;
    }
    fill_kernel(depth, budget);
  }
  // Every weight is a sum of at most that many products of so many factors; bounds add one sum, a quotient and a sum.
  error_ = static_cast<double>(depths + 4) * static_cast<double>(root_.size() + 32) * 0x1p-50;
}

void Suffixes::fill_kernel(std::size_t depth, Budget& budget) {
  SuffixLayer& layer = layers_[depth];
  const SuffixLayer& after = layers_[depth + 1];
  const std::size_t classes = entries_[depth].empty() ? 0 : entries_[depth][0].size();
  const std::vector<double> least = least_ratios(entries_[depth], classes);
  budget.require_memory(layer.size * layer.size * sizeof(double));
  layer.kernel.resize(layer.size * layer.size);
  for (std::size_t r = 0; r < layer.size; ++r) {
    budget.tick();
    const double* own = &least[layer.seen[r] * classes];
    const double* others = &after.kernel[layer.next[r] * after.size];
    double* row = &layer.kernel[r * layer.size];
    for (std::size_t s = 0; s < layer.size; ++s) {
      const double kept = own[layer.seen[s]] * others[layer.next[s]];
      row[s] = kept < kTiny ? 0 : kept;  // as if the loss were infinite, which makes bounds larger
    }
  }
}

}  // namespace oddsbound::ratios
