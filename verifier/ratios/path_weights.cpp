#include "verifier/ratios/path_weights.h"

#include <map>
#include <unordered_map>

namespace oddsbound::ratios {

PathWeights::PathWeights(const SeenRows& seen, const Suffixes& suffixes)
    : seen_(seen), suffixes_(suffixes), values_{Number(0), Number(1)} {
  std::unordered_map<Number, std::uint32_t, NumberHash> known{{Number(0), kZero}, {Number(1), kOne}};
  for (std::size_t d = 0; d < suffixes.depths(); ++d) {
    auto& columns = entries_.emplace_back();
    for (const std::vector<Number>& column : seen.factors[suffixes.factor(d)].entries) {
      auto& entries = columns.emplace_back();
      for (const Number& entry : column) {
        const auto [place, added] = known.emplace(entry, static_cast<std::uint32_t>(values_.size()));
        if (added) values_.push_back(entry);
        entries.push_back(place->second);
      }
    }
  }
}

// Most products have the same factors in another order: each is formed once.
std::vector<Number> PathWeights::of(std::uint32_t group, std::size_t depth, const Path& path, Budget& budget) const {
  using Powers = std::map<std::uint32_t, std::uint32_t>;  // by entry
  std::vector<std::map<Powers, Number>> sums(suffixes_.layer(depth).size);
  for (std::size_t r = 0; r < seen_.rows.size(); ++r) {
    const SeenRow& row = seen_.rows[r];
    if (row.group != group) continue;
    budget.tick();
    std::uint32_t suffix = suffixes_.root(r);
    Powers powers;
    bool possible = true;
    for (std::size_t d = 0; d < depth && possible; ++d) {
      const std::uint32_t entry = entries_[d][path[d]][suffixes_.layer(d).seen[suffix]];
      possible = entry != kZero;
      if (entry != kOne) ++powers[entry];
      suffix = suffixes_.layer(d).next[suffix];
    }
    if (possible) sums[suffix][std::move(powers)] += row.weight;
  }
  std::vector<Number> weights;
  for (const auto& by_powers : sums) {
    std::vector<WeightedTerm> terms;
    for (const auto& [powers, weight] : by_powers) {
      Number product(1);
      for (const auto& [entry, power] : powers) product *= values_[entry].pow(power);
      terms.push_back({weight, std::move(product)});
    }
    weights.push_back(weighted_sum(terms) / seen_.masses[group]);
  }
  return weights;
}

std::uint32_t PathWeights::first_possible(std::size_t depth, const SeenRow& row) const {
  std::uint32_t output = 0;
  while (entries_[depth][output][row.classes[suffixes_.factor(depth)]] == kZero) ++output;
  return output;
}

}  // namespace oddsbound::ratios
