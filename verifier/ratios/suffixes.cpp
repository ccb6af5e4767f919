#include "verifier/ratios/suffixes.h"

#include <algorithm>
#include <map>

namespace oddsbound::ratios {

namespace {

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

}  // namespace

Suffixes::Suffixes(const SeenRows& seen, std::vector<std::size_t> order, Budget& budget) : order_(std::move(order)) {
  const std::size_t depths = order_.size();
  layers_.resize(depths + 1);
  layers_[depths].size = 1;
  root_.assign(seen.rows.size(), 0);
  for (const std::size_t f : order_) entries_.push_back(approximated(seen.factors[f]));
  for (std::size_t depth = depths; depth-- > 0;) {
    SuffixLayer& layer = layers_[depth];
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
    for (std::size_t r = 0; r < root_.size(); ++r) {
      budget.tick();
      const std::uint32_t own = seen.rows[r].classes[order_[depth]];
      const auto [place, added] = known.emplace(std::pair(own, root_[r]), static_cast<std::uint32_t>(layer.size));
      if (added) {
        layer.seen.push_back(own);
        layer.next.push_back(root_[r]);
        ++layer.size;
      }
      root_[r] = place->second;
    }
  }
  // Every weight is a sum of at most that many products of so many factors; bounds add one sum, a quotient and a sum.
  error_ = static_cast<double>(depths + 4) * static_cast<double>(root_.size() + 32) * 0x1p-50;
}

}  // namespace oddsbound::ratios
