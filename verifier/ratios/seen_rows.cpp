#include "verifier/ratios/seen_rows.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "verifier/model/priors/kind.h"

namespace oddsbound::ratios {

namespace {

using Column = std::vector<Number>;

struct ColumnHash {
  std::size_t operator()(const Column& column) const {
    std::size_t hash = column.size();
    for (const Number& entry : column) hash = hash * 1000003 + entry.hash();
    return hash;
  }
};

// The outputs of a factor under way: of those in proportion to each other the first, and none that is impossible. Where
// two classes are told apart, all but two outputs are left out: whatever the other factors answer, the ratio is
// (a + b t) / (c + d t) of what an output gives the second class, t, in proportion to the first one, so it is largest
// where t is least or largest.
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
  SeenFactor take() {
    if (factor_.classes == 2) keep_extremes();
    return std::move(factor_);
  }

 private:
  static bool is_less(const Column& a, const Column& b) { return compare_products(a[1], b[0], b[1], a[0]) < 0; }

  void keep_extremes() {
    const auto [least, largest] = std::minmax_element(factor_.entries.begin(), factor_.entries.end(), is_less);
    SeenFactor kept = factor_;
    kept.outputs.clear();
    kept.entries.clear();
    for (std::size_t y = 0; y < factor_.entries.size(); ++y) {
      if (factor_.entries[y] != *least && factor_.entries[y] != *largest) continue;
      kept.outputs.push_back(std::move(factor_.outputs[y]));
      kept.entries.push_back(factor_.entries[y]);
    }
    factor_ = std::move(kept);
  }

  SeenFactor factor_;
  std::unordered_set<Column, ColumnHash> known_;
};

// Of one run of a factor, the classes of the inputs that occur; `class_of` maps these inputs to their classes.
SeenFactor seen_once(const ChannelPtr& of, std::map<std::uint64_t, std::uint32_t>& class_of, Budget& budget) {
  const Channel& channel = *of;
  budget.require_cells(class_of.size(), channel.outputs());
  std::unordered_map<Column, std::uint32_t, ColumnHash> classes;
  std::vector<const Column*> rows;
  std::vector<std::uint64_t> inputs;
  for (auto& [input, number] : class_of) {
    Column row;
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      budget.tick();
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
    budget.tick();
    Column column;
    for (const Column* row : rows) column.push_back((*row)[y]);
    different.add({y}, std::move(column));
  }
  return different.take();
}

// In how many ways `runs` runs fall on so many outputs; kMostTypes + 1 if there are more than that.
constexpr std::uint64_t kMostTypes = 4096;
std::uint64_t count_types(std::uint64_t runs, std::uint64_t outputs) {
  std::uint64_t count = 1;
  for (std::uint64_t k = 1; k < outputs && count <= kMostTypes; ++k) count = count * (runs + k) / k;
  return std::min(count, kMostTypes + 1);
}

// Several runs of a factor, as one whose outputs are how often each of its outputs came.
class Types {
 public:
  Types(const SeenFactor& once, std::size_t runs, Budget& budget)
      : once_(once), runs_(runs), budget_(budget), different_(once.channel, once.inputs) {
    if (once.classes == 2) {
      // What stands out most in one run stands out most in all of them.
      for (std::size_t y = 0; y < once.outputs.size(); ++y) place_all(y);
    } else {
      place_outputs(0, {}, Column(once.classes, Number(1)));
    }
  }
  SeenFactor take() { return different_.take(); }

 private:
  void place_all(std::size_t y) {
    Column column;
    for (const Number& entry : once_.entries[y]) column.push_back(entry.pow(static_cast<std::int64_t>(runs_)));
    different_.add(std::vector<std::uint64_t>(runs_, once_.outputs[y][0]), std::move(column));
  }

  // The runs that are left come from output `y` on.
  void place_outputs(std::size_t y, const std::vector<std::uint64_t>& placed, const Column& entries) {
    budget_.tick();
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

}  // namespace

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

std::vector<SeenFactor> seen_factors(const ChannelPtr& channel, EqualFactors& equal, Budget& budget) {
  const SeenFactor once = seen_once(channel, equal.class_of, budget);
  const std::size_t count = equal.factors.size();
  std::size_t runs = count;
  while (once.classes > 2 && runs > 1 && count_types(runs, once.outputs.size()) > kMostTypes) runs = (runs + 1) / 2;
  std::vector<SeenFactor> seen;
  for (std::size_t begun = 0; begun < count; begun += runs) {
    const auto first = equal.factors.begin() + static_cast<std::ptrdiff_t>(begun);
    const auto end = equal.factors.begin() + static_cast<std::ptrdiff_t>(std::min(begun + runs, count));
    const auto together = static_cast<std::size_t>(end - first);
    seen.push_back(together == 1 ? once : Types(once, together, budget).take());
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

SeenRows rows_by_value(const Model& model, std::size_t coordinate, Budget& budget) {
  const std::span<const Factor> factors = model.channel->factors();
  std::vector<EqualFactors> groups = equal_factors(factors);
  const DomainShape& shape = model.prior->shape();
  std::map<std::pair<std::uint32_t, std::vector<std::uint64_t>>, Number> weights;
  SeenRows seen;
  seen.masses.resize(shape[coordinate]);
  model.prior->each_row(budget, [&](InputView row, const Number& weight) {
    budget.tick();
    std::vector<std::uint64_t> key;
    for (EqualFactors& group : groups) {
      key.push_back(index_of(shape, row, factors[group.factors[0]].coordinates));
      group.class_of.emplace(key.back(), 0);
    }
    weights[{row[coordinate], std::move(key)}] += weight;
    seen.masses[row[coordinate]] += weight;
  });
  std::vector<std::size_t> group_of;  // of each factor that is seen
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (SeenFactor& added : seen_factors(factors[groups[g].factors[0]].channel, groups[g], budget)) {
      seen.factors.push_back(std::move(added));
      group_of.push_back(g);
    }
  }
  std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, Number> merged;
  for (const auto& [key, weight] : weights) {
    budget.tick();
    std::vector<std::uint32_t> classes;
    for (const std::size_t g : group_of) classes.push_back(groups[g].class_of.at(key.second[g]));
    merged[{key.first, std::move(classes)}] += weight;
  }
  for (auto& [key, weight] : merged) seen.rows.push_back({key.first, key.second, std::move(weight)});
  return seen;
}

}  // namespace oddsbound::ratios
