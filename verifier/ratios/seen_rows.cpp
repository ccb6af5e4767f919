#include "verifier/ratios/seen_rows.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/errors.h"

namespace oddsbound::ratios {

namespace {

// The number of what a factor sees of a row, among its own inputs.
std::uint64_t seen_of(const Factor& factor, const DomainShape& shape, InputView row) {
  std::uint64_t seen = 0;
  for (const std::size_t i : factor.coordinates) seen = seen * shape[i] + row[i];
  return seen;
}

using Column = std::vector<Number>;

struct ColumnHash {
  std::size_t operator()(const Column& column) const {
    std::size_t hash = column.size();
    for (const Number& entry : column) hash = hash * 1000003 + entry.hash();
    return hash;
  }
};

// Of a factor, the classes of the inputs that occur; `class_of` maps these inputs to their classes.
SeenFactor seen_factor(const Channel& channel, std::map<std::uint64_t, std::uint32_t>& class_of, Budget& budget) {
  budget.require_cells(class_of.size(), channel.outputs());
  std::unordered_map<Column, std::uint32_t, ColumnHash> classes;
  std::vector<const Column*> rows;
  for (auto& [input, number] : class_of) {
    Column row;
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      budget.tick();
      row.push_back(channel.entry(input, y));
    }
    const auto [place, added] = classes.emplace(std::move(row), static_cast<std::uint32_t>(rows.size()));
    if (added) rows.push_back(&place->first);
    number = place->second;
  }
  SeenFactor factor;
  factor.classes = rows.size();
  std::unordered_map<Column, std::uint64_t, ColumnHash> known;
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    budget.tick();
    Column column;
    for (const Column* row : rows) column.push_back((*row)[y]);
    const auto first = std::find_if(column.begin(), column.end(), [](const Number& entry) { return !entry.is_zero(); });
    if (first == column.end()) continue;
    const Number scale = *first;
    for (Number& entry : column) entry /= scale;
    if (!known.emplace(column, y).second) continue;
    factor.outputs.push_back(y);
    factor.entries.push_back(std::move(column));
    factor.scale.push_back(scale);
  }
  return factor;
}

}  // namespace

SeenRows rows_by_value(const Model& model, std::size_t coordinate, Budget& budget) {
  const std::span<const Factor> factors = model.channel->factors();
  const DomainShape& shape = model.prior->shape();
  std::map<std::pair<std::uint32_t, std::vector<std::uint64_t>>, Number> weights;
  std::vector<std::map<std::uint64_t, std::uint32_t>> class_of(factors.size());
  SeenRows seen;
  seen.masses.resize(shape[coordinate]);
  model.prior->each_row(budget, [&](InputView row, const Number& weight) {
    budget.tick();
    std::vector<std::uint64_t> key;
    for (std::size_t f = 0; f < factors.size(); ++f) {
      key.push_back(seen_of(factors[f], shape, row));
      class_of[f].emplace(key[f], 0);
    }
    weights[{row[coordinate], std::move(key)}] += weight;
    seen.masses[row[coordinate]] += weight;
  });
  for (std::size_t f = 0; f < factors.size(); ++f) {
    seen.factors.push_back(seen_factor(*factors[f].channel, class_of[f], budget));
  }
  std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, Number> merged;
  for (const auto& [key, weight] : weights) {
    budget.tick();
    std::vector<std::uint32_t> classes;
    for (std::size_t f = 0; f < factors.size(); ++f) classes.push_back(class_of[f].at(key.second[f]));
    merged[{key.first, std::move(classes)}] += weight;
  }
  for (auto& [key, weight] : merged) seen.rows.push_back({key.first, key.second, std::move(weight)});
  return seen;
}

}  // namespace oddsbound::ratios
