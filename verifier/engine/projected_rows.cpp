#include "verifier/engine/projected_rows.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "verifier/engine/search_node.h"
#include "verifier/model/prior.h"

namespace oddsbound::engine {

namespace {

using Column = std::vector<Number>;

struct ColumnHash {
  std::size_t operator()(const Column& column) const {
    std::size_t hash = column.size();
    for (const Number& entry : column) hash = hash * 1000003 + entry.hash();
    return hash;
  }
};

// Collects the outputs of a factor: drops impossible ones, keeps the first of proportional ones, and in the end
// drops those that are not needed.
class DifferentOutputs {
 public:
  DifferentOutputs(const ChannelPtr& channel, std::vector<std::uint64_t> inputs) {
    factor_.classes = inputs.size();
    factor_.channel = channel;
    factor_.inputs = std::move(inputs);
  }
  void add(std::vector<std::uint64_t> outputs, Column column) {
    const auto first = std::find_if(column.begin(), column.end(), [](const Number& entry) { return !entry.is_zero(); });
    if (first == column.end()) return;
    const Number share = *first;
    for (Number& entry : column) entry /= share;
    if (!known_.insert(column).second) return;
    factor_.outputs.push_back(std::move(outputs));
    factor_.entries.push_back(std::move(column));
  }
  SeenFactor take(WhichOutputs which, Budget& budget) {
    if (which == WhichOutputs::kDifferent && factor_.classes != 2) return std::move(factor_);
    const std::vector<std::size_t> needed = needed_outputs(factor_.entries, budget);
    const auto outputs = std::exchange(factor_.outputs, {});
    const auto entries = std::exchange(factor_.entries, {});
    for (const std::size_t y : needed) {
      factor_.outputs.push_back(outputs[y]);
      factor_.entries.push_back(entries[y]);
    }
    return std::move(factor_);
  }

 private:
  SeenFactor factor_;
  std::unordered_set<Column, ColumnHash> known_;
};

// Returns one run of a factor, restricted to the inputs that occur; sets their classes in `class_of`.
SeenFactor seen_once(const ChannelPtr& of, std::map<std::uint64_t, std::uint32_t>& class_of, WhichOutputs which,
                     Budget& budget) {
  const Channel& channel = *of;
  budget.require_cells(class_of.size(), channel.outputs());
  std::unordered_map<Column, std::uint32_t, ColumnHash> classes;
  std::vector<const Column*> rows;
  std::vector<std::uint64_t> inputs;
  for (auto& [input, number] : class_of) {
    Column row;
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      budget.check_every();
      row.push_back(channel.entry(input, y));
    }
    const auto [place, added] = classes.emplace(std::move(row), static_cast<std::uint32_t>(rows.size()));
    if (added) {
      rows.push_back(&place->first);
      inputs.push_back(input);
    }
    number = place->second;
  }
  DifferentOutputs different(of, std::move(inputs));
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    budget.check_every();
    Column column;
    for (const Column* row : rows) column.push_back((*row)[y]);
    different.add({y}, std::move(column));
  }
  return different.take(which, budget);
}

// Several runs of a factor as one factor whose outputs are multisets (types) of its outputs.
class Types {
 public:
  Types(const SeenFactor& once, std::size_t runs, Budget& budget)
      : once_(once), runs_(runs), budget_(budget), different_(once.channel, once.inputs) {
    place_outputs(0, {}, Column(once.classes, Number(1)));
  }
  SeenFactor take(WhichOutputs which) { return different_.take(which, budget_); }

 private:
  // Distributes the remaining runs over the outputs from `y` on.
  void place_outputs(std::size_t y, const std::vector<std::uint64_t>& placed, const Column& entries) {
    budget_.check_every();
    const std::size_t left = runs_ - placed.size();
    const bool last = y + 1 == once_.outputs.size();
    for (std::size_t count = last ? left : 0; count <= left; ++count) {
      std::vector<std::uint64_t> outputs = placed;
      outputs.insert(outputs.end(), count, once_.outputs[y][0]);
      Column column = entries;
      for (std::size_t c = 0; c < column.size(); ++c) {
        column[c] *= once_.entries[y][c].pow(static_cast<std::int64_t>(count));
      }
      if (last) {
        different_.add(std::move(outputs), std::move(column));
      } else {
        place_outputs(y + 1, outputs, column);
      }
    }
  }

  const SeenFactor& once_;
  std::size_t runs_;
  Budget& budget_;
  DifferentOutputs different_;
};

// Returns two factors of one channel as one: all pairs of their outputs.
SeenFactor both(const SeenFactor& a, const SeenFactor& b, WhichOutputs which, Budget& budget) {
  DifferentOutputs different(a.channel, a.inputs);
  for (std::size_t y = 0; y < a.outputs.size(); ++y) {
    for (std::size_t z = 0; z < b.outputs.size(); ++z) {
      budget.check_every();
      std::vector<std::uint64_t> outputs = a.outputs[y];
      outputs.insert(outputs.end(), b.outputs[z].begin(), b.outputs[z].end());
      Column column = a.entries[y];
      for (std::size_t c = 0; c < column.size(); ++c) column[c] *= b.entries[z][c];
      different.add(std::move(outputs), std::move(column));
    }
  }
  return different.take(which, budget);
}

// Returns several runs by repeated doubling; nullopt once more outputs are needed than for one run. An output that
// combines others does so together with any other outputs, so what half of the runs drop, all runs drop.
std::optional<SeenFactor> doubled(const SeenFactor& once, std::size_t runs, WhichOutputs which, Budget& budget) {
  if (which == WhichOutputs::kDifferent && once.classes != 2) return std::nullopt;
  SeenFactor result = once;
  for (std::size_t bit = std::bit_floor(runs) / 2; bit > 0; bit /= 2) {
    result = both(result, result, which, budget);
    if ((runs & bit) != 0) result = both(result, once, which, budget);
    if (result.outputs.size() > once.outputs.size()) return std::nullopt;
  }
  return result;
}

}  // namespace

std::size_t runs_together(std::size_t runs, std::size_t outputs) {
  constexpr std::uint64_t kMostTypes = 4096;
  const auto are_few = [&] {  // C(runs + outputs - 1, outputs - 1) types
    std::uint64_t count = 1;
    for (std::uint64_t k = 1; k < outputs && count <= kMostTypes; ++k) count = count * (runs + k) / k;
    return count <= kMostTypes;
  };
  while (runs > 1 && !are_few()) runs = (runs + 1) / 2;
  return runs;
}

std::vector<EqualFactors> equal_factors(std::span<const Factor> factors) {
  std::map<std::pair<const Channel*, std::vector<std::size_t>>, std::size_t> known;
  std::vector<EqualFactors> groups;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    const auto [place, added] =
        known.emplace(std::pair(factors[f].channel.get(), factors[f].coordinates), groups.size());
    if (added) groups.emplace_back();
    groups[place->second].factors.push_back(f);
  }
  return groups;
}

std::vector<SeenFactor> seen_factors(const ChannelPtr& channel, EqualFactors& equal, Budget& budget,
                                     WhichOutputs which) {
  const SeenFactor once = seen_once(channel, equal.class_of, which, budget);
  const std::size_t count = equal.factors.size();
  std::vector<SeenFactor> seen;
  if (auto all = doubled(once, count, which, budget)) {
    seen.push_back(std::move(*all));
    seen[0].factors = equal.factors;
    return seen;
  }
  const std::size_t runs = runs_together(count, once.outputs.size());
  for (std::size_t begun = 0; begun < count; begun += runs) {
    const auto first = equal.factors.begin() + static_cast<std::ptrdiff_t>(begun);
    const auto end = equal.factors.begin() + static_cast<std::ptrdiff_t>(std::min(begun + runs, count));
    const auto together = static_cast<std::size_t>(end - first);
    seen.push_back(together == 1 ? once : Types(once, together, budget).take(which));
    seen.back().factors.assign(first, end);
  }
  return seen;
}

Number SeenFactor::scale(std::size_t output) const {
  std::size_t first = 0;
  while (entries[output][first].is_zero()) ++first;
  std::map<std::uint64_t, std::int64_t> counts;
  for (const std::uint64_t y : outputs[output]) ++counts[y];
  Number scale = Number(1) / entries[output][first];
  for (const auto& [y, count] : counts) scale *= channel->entry(inputs[first], y).pow(count);
  return scale;
}

ProjectedRows rows_by_label(const Model& model, const Partition& partition, Budget& budget, WhichOutputs which) {
  const std::span<const Factor> factors = model.channel->factors();
  std::vector<EqualFactors> groups = equal_factors(factors);
  const DomainShape& shape = model.prior->shape();
  std::map<std::pair<std::uint32_t, std::vector<std::uint64_t>>, Number> weights;
  ProjectedRows seen;
  seen.masses.resize(partition.size());
  model.prior->each_row(budget, [&](InputView row, const Number& weight) {
    budget.check_every();
    std::vector<std::uint64_t> key;
    for (EqualFactors& group : groups) {
      key.push_back(index_of(shape, row, factors[group.factors[0]].coordinates));
      group.class_of.emplace(key.back(), 0);
    }
    const std::uint32_t group = partition.label_of(row);
    weights[{group, std::move(key)}] += weight;
    seen.masses[group] += weight;
  });
  std::vector<std::size_t> group_of;  // of each projected factor
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (SeenFactor& added : seen_factors(factors[groups[g].factors[0]].channel, groups[g], budget, which)) {
      seen.factors.push_back(std::move(added));
      group_of.push_back(g);
    }
  }
  std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, Number> merged;
  for (const auto& [key, weight] : weights) {
    budget.check_every();
    std::vector<std::uint32_t> classes;
    for (const std::size_t g : group_of) classes.push_back(groups[g].class_of.at(key.second[g]));
    merged[{key.first, std::move(classes)}] += weight;
  }
  for (auto& [key, weight] : merged) seen.rows.push_back({key.first, key.second, std::move(weight)});
  return seen;
}

ProjectedRows rows_by_value(const Model& model, std::size_t coordinate, Budget& budget, WhichOutputs which) {
  return rows_by_label(model, Partition::by_value(model.domain, coordinate), budget, which);
}

}  // namespace oddsbound::engine
