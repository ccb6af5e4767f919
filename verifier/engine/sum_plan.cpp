#include "verifier/engine/sum_plan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/errors.h"
#include "verifier/exact/interval.h"

namespace oddsbound::engine {

namespace {

constexpr double kSmallest = 0x1p-400, kLargest = 0x1p400;
constexpr std::uint32_t kNoLabel = UINT32_MAX;

// Reads the rows, and lays out the cells.
class SumPlanner {
 public:
  SumPlanner(const Model& model, std::span<const LabelSums> labels, bool record, Budget& budget)
      : model_(model), labels_(labels), budget_(budget) {
    plan_.record = record;
  }

  SumPlan take() {
    plan_.factors = summed_factors(model_, budget_);
    read_rows();
    number_rests();
    lay_out();
    plan_sums();
    choose_block();
    return std::move(plan_);
  }

 private:
  struct PlannedRow {
    std::vector<std::uint32_t> classes;  // by factor
    std::vector<std::uint32_t> labels;   // dense, by partition
    Number weight;                       // of the sum
    std::vector<std::uint32_t> rests;    // by depth
  };

  void read_rows() {
    constexpr std::size_t kMostRows = 1 << 16;
    const std::span<const Factor> factors = model_.channel->factors();
    const Number total = model_.prior->total();
    dense_.resize(labels_.size());
    masses_.resize(labels_.size());
    model_.prior->each_row(budget_, [&](InputView view, const Number& weight) {
      budget_.check_every();
      if (rows_.size() == kMostRows) {
        throw LimitError("the prior has more than " + std::to_string(kMostRows) + " rows, over which averages sum");
      }
      PlannedRow& row = rows_.emplace_back();
      row.weight = weight / total;
      for (const SummedFactor& factor : plan_.factors) {
        const std::uint64_t input = index_of(model_.prior->shape(), view, factors[factor.factors[0]].coordinates);
        row.classes.push_back(factor.class_of.at(input));
      }
      for (std::size_t k = 0; k < labels_.size(); ++k) {
        const auto [place, added] = dense_[k].try_emplace(labels_[k].partition.label_of(view), masses_[k].size());
        if (added) masses_[k].emplace_back(0);
        masses_[k][place->second] += row.weight;
        row.labels.push_back(place->second);
      }
    });
    plan_.rows = rows_.size();
    budget_.require_memory(rows_.size() * (plan_.factors.size() + 1) * (labels_.size() + 2) * 4 * sizeof(double));
    for (std::size_t f = 0; f < plan_.factors.size() && plan_.record; ++f) {
      std::vector<Number> masses(plan_.factors[f].classes);
      for (const PlannedRow& row : rows_) masses[row.classes[f]] += row.weight;
      for (std::size_t c = 0; c < masses.size(); ++c) {
        plan_.conditional_entropy += masses[c] * number_of(plan_.factors[f].entropies[c]);
      }
    }
  }

  // Rests of rows are numbered from the last factor on: (class, number of what follows).
  void number_rests() {
    const std::size_t n = plan_.factors.size();
    for (PlannedRow& row : rows_) row.rests.assign(n + 1, 0);
    counts_.assign(n + 1, 1);
    for (std::size_t d = n; d-- > 0;) {
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
      for (PlannedRow& row : rows_) {
        budget_.check_every();
        const auto [place, added] = numbers.try_emplace({row.classes[d], row.rests[d + 1]}, numbers.size());
        row.rests[d] = place->second;
      }
      counts_[d] = static_cast<std::uint32_t>(numbers.size());
    }
  }

  // Returns true if rows with the same rest have the same label.
  bool rest_determines(std::size_t partition, std::size_t depth) const {
    std::vector<std::uint32_t> label(counts_[depth], kNoLabel);
    for (const PlannedRow& row : rows_) {
      std::uint32_t& known = label[row.rests[depth]];
      if (known == kNoLabel) known = row.labels[partition];
      if (known != row.labels[partition]) return false;
    }
    return true;
  }

  void lay_out() {
    const std::size_t n = plan_.factors.size();
    std::vector<std::vector<std::uint32_t>> before, after;  // [layer][row]: cells
    for (std::size_t d = 0; d <= n; ++d) {
      after = add_depth(d);
      if (d == 0) {
        set_root(after);
      } else {
        add_step(d - 1, before, after);
      }
      std::swap(before, after);
    }
  }

  // Returns the cells of the rows in each layer: all rows, the partitions, and the maxima.
  std::vector<std::vector<std::uint32_t>> add_depth(std::size_t d) {
    SumDepth& depth = plan_.depths.emplace_back();
    depth.all = counts_[d];
    std::vector<std::vector<std::uint32_t>> layers(1);
    for (const PlannedRow& row : rows_) layers[0].push_back(row.rests[d]);
    std::uint32_t cells = counts_[d];
    for (std::size_t k = 0; k < labels_.size(); ++k) {
      LabelCells& own = depth.partitions.emplace_back();
      layers.emplace_back();
      if (d < plan_.factors.size() && rest_determines(k, d)) {
        own.labels.resize(counts_[d]);
        for (const PlannedRow& row : rows_) own.labels[row.rests[d]] = row.labels[k];
        own.rests.resize(counts_[d]);
        std::iota(own.rests.begin(), own.rests.end(), 0U);
        layers.back() = layers[0];
        continue;
      }
      own.first = cells;
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;  // in the order of labels
      for (const PlannedRow& row : rows_) numbers.emplace(std::pair(row.labels[k], row.rests[d]), 0);
      for (auto& [key, cell] : numbers) {
        cell = cells++;
        own.labels.push_back(key.first);
        own.rests.push_back(key.second);
      }
      for (const PlannedRow& row : rows_) layers.back().push_back(numbers.at({row.labels[k], row.rests[d]}));
      budget_.check();
    }
    if (plan_.record) {
      layers.emplace_back();
      for (const PlannedRow& row : rows_) layers.back().push_back(cells + row.rests[d]);
      cells += counts_[d];
    }
    depth.cells = cells;
    depth.rest_entropy.resize(counts_[d]);
    for (std::size_t f = d; f < plan_.factors.size(); ++f) {
      depth.log_rests += std::log(static_cast<double>(plan_.factors[f].size())) * (1 + 0x1p-40);
    }
    for (const PlannedRow& row : rows_) {
      double& entropy = depth.rest_entropy[row.rests[d]];
      entropy = 0;
      for (std::size_t f = d; f < plan_.factors.size(); ++f) entropy += plan_.factors[f].entropies[row.classes[f]];
    }
    return layers;
  }

  void set_root(const std::vector<std::vector<std::uint32_t>>& layers) {
    std::vector<Number> weights(plan_.depths[0].cells);
    std::vector<bool> done;
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
      const bool shared = layer > 0 && layers[layer] == layers[0];
      const bool maximum = plan_.record && layer + 1 == layers.size();
      for (std::size_t r = 0; r < rows_.size() && (!shared || maximum); ++r) {
        Number& weight = weights[layers[layer][r]];
        weight = maximum ? std::max(weight, rows_[r].weight) : weight + rows_[r].weight;
      }
    }
    for (const Number& weight : weights) {
      plan_.root.push_back(nearest_double(weight));
      if (!(plan_.root.back() >= kSmallest)) throw LimitError("a weight of the prior is below 2^-400 of the total");
    }
  }

  void add_step(std::size_t d, const std::vector<std::vector<std::uint32_t>>& before,
                const std::vector<std::vector<std::uint32_t>>& after) {
    const SummedFactor& factor = plan_.factors[d];
    SumStep& step = plan_.steps.emplace_back();
    step.outputs = factor.size();
    step.classes = factor.classes;
    step.entries = factor.entries.data();
    step.first_maximum = plan_.depths[d + 1].cells - (plan_.record ? counts_[d + 1] : 0);
    std::vector<std::array<std::uint32_t, 3>> links;  // target, source, class
    for (std::size_t layer = 0; layer < after.size(); ++layer) {
      if (layer > 0 && after[layer] == after[0]) continue;
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        links.push_back({after[layer][r], before[layer][r], rows_[r].classes[d]});
      }
    }
    budget_.check();
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    std::size_t most = 1;
    step.begin.push_back(0);
    for (std::size_t k = 0; k < links.size(); ++k) {
      step.sources.push_back({links[k][1], links[k][2]});
      if (k + 1 < links.size() && links[k + 1][0] == links[k][0]) continue;
      if (links[k][0] < step.first_maximum) most = std::max(most, k + 1 - step.begin.back());
      step.begin.push_back(static_cast<std::uint32_t>(k + 1));
    }
    plan_.roundings += 2 + most - 1;
  }

  void plan_sums() {
    plan_.roundings += 1;
    for (std::size_t k = 0; k < labels_.size(); ++k) {
      PlannedPartition& own = plan_.partitions.emplace_back();
      own.guesses = labels_[k].guesses;
      own.information = labels_[k].information;
      for (const Number& mass : masses_[k]) {
        own.inverse_masses.push_back(nearest_double(Number(1) / mass));
      }
      for (const LabelSums::Excess& excess : labels_[k].excesses) {
        PlannedExcess& planned = own.excesses.emplace_back();
        planned.from = dense_[k].at(excess.from);
        planned.to = dense_[k].at(excess.to);
        planned.from_scale = own.inverse_masses[planned.from];
        planned.to_scale = nearest_double(excess.factor / masses_[k][planned.to]);
        if (!(excess.factor.approx() < kLargest)) throw LimitError("epsilon exceeds 277, the largest for averages");
      }
      own.guess_sum = plan_.sums;
      own.information_sum = own.guess_sum + (own.guesses ? 1 : 0);
      own.first_excess = own.information_sum + (own.information ? 1 : 0);
      plan_.sums = own.first_excess + own.excesses.size();
      plan_.additions = std::max<std::uint64_t>(plan_.additions, masses_[k].size());
    }
    plan_.guess_sum = plan_.sums;
    plan_.entropy_sum = plan_.sums + 1;
    plan_.sums += plan_.record ? 2 : 0;
  }

  // The last factors form a block of at most kMostLanes outputs, whose cells fit the caches.
  void choose_block() {
    constexpr std::size_t kMostLanes = 128, kMostNumbers = 1 << 18;
    const std::size_t n = plan_.factors.size();
    plan_.block = n - 1;
    plan_.slice = std::min({kMostLanes, plan_.factors[n - 1].size(), 1 + kMostNumbers / plan_.depths[n].cells});
    plan_.lanes = plan_.slice;
    while (plan_.slice == plan_.factors[n - 1].size() && plan_.block > 0) {
      const std::size_t lanes = plan_.lanes * plan_.factors[plan_.block - 1].size();
      if (lanes > kMostLanes || numbers_in_block(plan_.block - 1) > kMostNumbers) break;
      plan_.lanes = lanes;
      --plan_.block;
    }
    std::size_t numbers = numbers_in_block(plan_.block);
    for (const SumDepth& depth : plan_.depths) numbers += depth.cells;
    plan_.bytes = (numbers + n * 3 * plan_.sums) * sizeof(double);
    for (const SumDepth& depth : plan_.depths) {
      for (const PlannedPartition& own : plan_.partitions) {
        plan_.bytes_by_mass = std::max(plan_.bytes_by_mass, depth.all * own.inverse_masses.size() * sizeof(double));
      }
    }
    // In a tree: the lanes of a block, its slices, the outputs of each factor, the units of threads.
    plan_.additions += 8 + plan_.factors[n - 1].size() + 64;
    for (std::size_t d = 0; d < plan_.block; ++d) plan_.additions += plan_.factors[d].size();
  }

  // The numbers that a block which begins with this factor holds.
  std::size_t numbers_in_block(std::size_t first) const {
    std::size_t lanes = 1, numbers = 0;
    for (std::size_t d = first; d < plan_.factors.size(); ++d) {
      lanes *= d + 1 == plan_.factors.size() ? plan_.slice : plan_.factors[d].size();
      numbers += plan_.depths[d + 1].cells * lanes;
    }
    return numbers;
  }

  const Model& model_;
  std::span<const LabelSums> labels_;
  Budget& budget_;
  SumPlan plan_;
  std::vector<PlannedRow> rows_;
  std::vector<std::map<std::uint32_t, std::uint32_t>> dense_;  // by partition: numbers of the labels with mass
  std::vector<std::vector<Number>> masses_;                    // by partition and dense label
  std::vector<std::uint32_t> counts_;                          // of rests, by depth
};

}  // namespace

SumPlan plan_of_sums(const Model& model, std::span<const LabelSums> labels, bool record, Budget& budget) {
  return SumPlanner(model, labels, record, budget).take();
}

}  // namespace oddsbound::engine
