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

std::optional<PathWeights::Powers> PathWeights::powers_of(std::size_t row, std::size_t depth, const Path& path,
                                                          std::uint32_t& suffix) const {
  suffix = suffixes_.root(row);
  Powers powers;
  for (std::size_t d = 0; d < depth; ++d) {
    const std::uint32_t entry = entries_[d][path[d]][suffixes_.layer(d).seen[suffix]];
    if (entry == kZero) return std::nullopt;
    if (entry != kOne) ++powers[entry];
    suffix = suffixes_.layer(d).next[suffix];
  }
  return powers;
}

Number PathWeights::product_of(const Powers& powers) const {
  Number product(1);
  for (const auto& [entry, power] : powers) product *= values_[entry].pow(power);
  return product;
}

// Most products have the same factors in another order: each is formed once.
std::vector<Number> PathWeights::of(std::uint32_t group, std::size_t depth, const Path& path, Budget& budget) const {
  std::vector<std::map<Powers, Number>> sums(suffixes_.layer(depth).size);
  for (std::size_t r = 0; r < seen_.rows.size(); ++r) {
    const SeenRow& row = seen_.rows[r];
    if (row.group != group) continue;
    budget.tick();
    std::uint32_t suffix = 0;
    if (auto powers = powers_of(r, depth, path, suffix)) sums[suffix][*std::move(powers)] += row.weight;
  }
  std::vector<Number> weights;
  for (const auto& by_powers : sums) {
    std::vector<WeightedTerm> terms;
    for (const auto& [powers, weight] : by_powers) terms.push_back({weight, product_of(powers)});
    weights.push_back(weighted_sum(terms) / seen_.masses[group]);
  }
  return weights;
}

std::vector<Number> PathWeights::products(const Path& path, Budget& budget) const {
  std::map<Powers, Number> known;
  std::vector<Number> products;
  for (std::size_t r = 0; r < seen_.rows.size(); ++r) {
    budget.tick();
    std::uint32_t suffix = 0;
    const std::optional<Powers> powers = powers_of(r, suffixes_.depths(), path, suffix);
    if (!powers) {
      products.emplace_back(0);
      continue;
    }
    const auto [place, added] = known.try_emplace(*powers);
    if (added) place->second = product_of(*powers);
    products.push_back(place->second);
  }
  return products;
}

std::uint32_t PathWeights::first_possible(std::size_t depth, const SeenRow& row) const {
  std::uint32_t output = 0;
  while (entries_[depth][output][row.classes[suffixes_.factor(depth)]] == kZero) ++output;
  return output;
}

}  // namespace oddsbound::ratios
