#include "verifier/engine/listed_outputs.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/bytes.h"
#include "verifier/engine/pair_losses.h"
#include "verifier/exact/number.h"
#include "verifier/exact/threads.h"

namespace oddsbound::engine {

namespace {

// Outputs that doubles cannot separate from the best one. More of them are not compared exactly.
constexpr std::size_t kMostLeft = std::size_t{1} << 14;

bool is_in_range(double value) { return value > kSmall && value < kLarge; }

}  // namespace

ListedOutputs::ListedOutputs(const ProjectedRows& seen, const std::vector<std::size_t>& order, Budget& budget)
    : seen_(seen), budget_(budget) {
  Plan best = plan(order), reverse = plan({order.rbegin(), order.rend()});
  if (reverse.steps < best.steps) std::swap(best, reverse);
  layers_ = std::move(best.layers);
  first_ = std::move(best.first);
  steps_ = best.steps;
  for (std::uint32_t group = 0; group < seen.masses.size(); ++group) {
    if (seen.masses[group].is_zero()) continue;
    if (seen.direction.may_be_from(group)) from_.push_back(group);
    if (seen.direction.may_be_to(group)) to_.push_back(group);
  }
  // A weight is a sum of at most `rows` products of a share and an entry per factor; shares and entries have a relative
  // error of at most 2^-50, products and sums add 2^-53 each. A ratio has twice the error of a weight.
  const double depths = static_cast<double>(layers_.size()), rows = static_cast<double>(seen.rows.size());
  error_ = 2 * ((depths + 1) * 0x1p-49 + rows * 0x1p-52);
  in_range_ = fill_entries();
}

ListedOutputs::Plan ListedOutputs::plan(std::vector<std::size_t> order) const {
  Plan plan;
  plan.layers.resize(order.size());
  for (const SeenRow& row : seen_.rows) plan.first.push_back(row.group);
  for (std::size_t depth = order.size(); depth-- > 0;) {
    Layer& layer = plan.layers[depth];
    layer.factor = order[depth];
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> cells;
    for (std::size_t r = 0; r < seen_.rows.size(); ++r) {
      budget_.check_every();
      const std::uint32_t own = seen_.rows[r].classes[layer.factor];
      const auto [place, is_new] =
          cells.emplace(std::pair(own, plan.first[r]), static_cast<std::uint32_t>(layer.seen.size()));
      if (is_new) {
        layer.seen.push_back(own);
        layer.next.push_back(plan.first[r]);
      }
      plan.first[r] = place->second;
    }
  }
  double outputs = 1;
  for (const Layer& layer : plan.layers) {
    outputs *= static_cast<double>(seen_.factors[layer.factor].outputs.size());
    plan.steps += outputs * static_cast<double>(layer.seen.size());
  }
  return plan;
}

bool ListedOutputs::fill_entries() {
  for (Layer& layer : layers_) {
    for (const std::vector<Number>& column : seen_.factors[layer.factor].entries) {
      std::vector<double>& entries = layer.entries.emplace_back();
      for (const Number& entry : column) {
        entries.push_back(entry.approx());
        if (!entry.is_zero() && !is_in_range(entries.back())) return false;
      }
    }
  }
  return true;
}

std::optional<ListedOutputs::Weights> ListedOutputs::first_weights() const {
  Weights weights(layers_.empty() ? seen_.masses.size() : layers_[0].seen.size(), 0);
  for (std::size_t r = 0; r < seen_.rows.size(); ++r) {
    const SeenRow& row = seen_.rows[r];
    const double share = (row.weight / seen_.masses[row.group]).approx();
    if (!is_in_range(share)) return std::nullopt;
    weights[first_[r]] += share;
  }
  return weights;
}

bool ListedOutputs::fix(const Layer& layer, std::uint32_t output, const Weights& before, Weights& after) const {
  std::fill(after.begin(), after.end(), 0);
  const std::vector<double>& entries = layer.entries[output];
  for (std::size_t cell = 0; cell < before.size(); ++cell) {
    const double factor = entries[layer.seen[cell]];
    if (before[cell] == 0 || factor == 0) continue;
    const double weight = before[cell] * factor;
    if (!is_in_range(weight)) return false;
    after[layer.next[cell]] += weight;
  }
  return true;
}

// Largest and second largest, or smallest and second smallest, so that the two sides can be different groups.
double ListedOutputs::largest_ratio(const Weights& groups) const {
  const auto more = [&](std::uint32_t a, std::uint32_t b) { return groups[a] > groups[b]; };
  const auto less = [&](std::uint32_t a, std::uint32_t b) { return groups[a] < groups[b]; };
  const auto first_two = [](const std::vector<std::uint32_t>& side, const auto& before) {
    std::vector<std::uint32_t> two;
    for (const std::uint32_t group : side) {
      if (two.empty() || before(group, two[0])) {
        two.insert(two.begin(), group);
      } else if (two.size() < 2 || before(group, two[1])) {
        two.insert(two.begin() + 1, group);
      }
      if (two.size() > 2) two.pop_back();
    }
    return two;
  };
  double ratio = 0;
  for (const std::uint32_t from : first_two(from_, more)) {
    for (const std::uint32_t to : first_two(to_, less)) {
      if (from == to || groups[from] == 0) continue;
      ratio = std::max(ratio, groups[to] == 0 ? kInfinity : groups[from] / groups[to]);
    }
  }
  return ratio;
}

ListedOutputs::Extremes ListedOutputs::extremes(const Weights& groups, double least) const {
  Extremes found{largest_ratio(groups), {}, {}};
  double most = 0, fewest = kInfinity;
  for (const std::uint32_t from : from_) most = std::max(most, groups[from]);
  for (const std::uint32_t to : to_) fewest = std::min(fewest, groups[to]);
  for (const std::uint32_t from : from_) {
    if (groups[from] > 0 && groups[from] >= least * fewest) found.from.push_back(from);
  }
  for (const std::uint32_t to : to_) {
    if (least * groups[to] <= most) found.to.push_back(to);
  }
  return found;
}

// Goes through all outputs in doubles.
class ListedOutputs::Pass {
 public:
  struct Left {
    double ratio;
    std::vector<std::uint32_t> path;  // [depth]
  };

  Pass(const ListedOutputs& list, const std::function<void()>& look) : list_(list), look_(look) {
    for (const Layer& layer : list.layers_) weights_.emplace_back(layer.seen.size());
    weights_.emplace_back(list.seen_.masses.size());
    path_.resize(list.layers_.size());
  }

  bool run(Weights first) {
    weights_[0] = std::move(first);
    return visit(0);
  }
  /// Outputs with a ratio below this one are worse than the best.
  double least() const { return best_ * (1 - 4 * list_.error_); }
  std::vector<Left> left() {
    std::erase_if(left_, [this](const Left& one) { return one.ratio < least(); });
    return std::move(left_);
  }

 private:
  // Returns false if the pass has to be given up.
  bool visit(std::size_t depth) {
    if (depth == path_.size()) return offer();
    if (depth + 1 >= path_.size() || depth < 2) look_();
    const Layer& layer = list_.layers_[depth];
    for (std::uint32_t y = 0; y < layer.entries.size(); ++y) {
      path_[depth] = y;
      if (!list_.fix(layer, y, weights_[depth], weights_[depth + 1]) || !visit(depth + 1)) return false;
    }
    return true;
  }

  bool offer() {
    const double ratio = list_.largest_ratio(weights_.back());
    if (ratio == 0 || ratio < least()) return true;
    best_ = std::max(best_, ratio);
    if (ratio == kInfinity && !left_.empty() && left_.front().ratio == kInfinity) return true;  // one is enough
    if (ratio == kInfinity) left_.clear();
    left_.push_back({ratio, path_});
    if (left_.size() > kMostLeft) left_ = left();
    return left_.size() <= kMostLeft;
  }

  const ListedOutputs& list_;
  const std::function<void()>& look_;
  std::vector<Weights> weights_;  // [depth]
  std::vector<std::uint32_t> path_;
  double best_ = 0;
  std::vector<Left> left_;
};

// Exact probabilities of outputs given groups. Groups that add the same products equally often are summed once.
class ListedOutputs::ExactSums {
 public:
  explicit ExactSums(const ListedOutputs& list) : list_(list), rows_of_(list.seen_.masses.size()) {
    for (std::size_t r = 0; r < list.seen_.rows.size(); ++r) {
      rows_of_[list.seen_.rows[r].group].push_back(r);
      weights_.push_back(number_of(list.seen_.rows[r].weight));
    }
    for (const Number& mass : list.seen_.masses) masses_.push_back(number_of(mass));
    for (const Layer& layer : list.layers_) {
      auto& entries = entries_.emplace_back();
      for (const std::vector<Number>& column : list.seen_.factors[layer.factor].entries) {
        auto& own = entries.emplace_back();
        for (const Number& entry : column) own.push_back(number_of(entry));
      }
    }
  }

  const Number& of(const std::vector<std::uint32_t>& path, std::uint32_t group) {
    const std::size_t depths = path.size();
    std::vector<std::vector<std::uint32_t>> products;
    for (const std::size_t r : rows_of_[group]) {
      list_.budget_.check_every();
      std::vector<std::uint32_t>& product = products.emplace_back(depths + 1);
      for (std::size_t d = 0; d < depths; ++d) {
        product[d] = entries_[d][path[d]][list_.seen_.rows[r].classes[list_.layers_[d].factor]];
      }
      std::sort(product.begin(), product.end() - 1);
      product[depths] = weights_[r];
    }
    std::sort(products.begin(), products.end());
    products.push_back({masses_[group]});
    const auto [place, is_new] = sums_.try_emplace(std::move(products));
    if (is_new) place->second = sum(place->first);
    return place->second;
  }

 private:
  std::uint32_t number_of(const Number& number) {
    BinaryWriter writer;
    exact::pack(writer, number);
    const auto [place, is_new] = known_.try_emplace(writer.take(), static_cast<std::uint32_t>(numbers_.size()));
    if (is_new) numbers_.push_back(number);
    return place->second;
  }

  // The last of them is the mass of the group.
  Number sum(const std::vector<std::vector<std::uint32_t>>& products) const {
    Number sum;
    for (std::size_t k = 0; k + 1 < products.size();) {
      list_.budget_.check();
      std::size_t end = k;
      while (end + 1 < products.size() && products[end] == products[k]) ++end;
      Number product(static_cast<std::int64_t>(end - k));
      for (const std::uint32_t number : products[k]) product *= numbers_[number];
      sum += product;
      k = end;
    }
    return sum / numbers_[products.back()[0]];
  }

  const ListedOutputs& list_;
  std::vector<std::vector<std::size_t>> rows_of_;  // [group]
  std::unordered_map<Bytes, std::uint32_t> known_;
  std::vector<Number> numbers_;
  std::vector<std::uint32_t> weights_, masses_;                   // [row], [group]
  std::vector<std::vector<std::vector<std::uint32_t>>> entries_;  // [depth][output][class]
  std::map<std::vector<std::vector<std::uint32_t>>, Number> sums_;
};

std::optional<ListedOutput> ListedOutputs::best(const std::function<void()>& look) const {
  if (!in_range_ || from_.empty() || to_.empty()) return std::nullopt;
  std::optional<Weights> first = first_weights();
  if (!first) return std::nullopt;
  Pass pass(*this, look);
  if (!pass.run(*first)) return std::nullopt;
  const double least = pass.least();
  ExactSums sums(*this);
  const std::vector<std::uint32_t>* path = nullptr;
  std::uint32_t from = 0, to = 0;
  Number p, q;
  const std::vector<Pass::Left> left = pass.left();
  for (const Pass::Left& one : left) {
    look();
    Weights weights = *first, next;
    for (std::size_t d = 0; d < one.path.size(); ++d) {
      next.assign(d + 1 < layers_.size() ? layers_[d + 1].seen.size() : seen_.masses.size(), 0);
      fix(layers_[d], one.path[d], weights, next);
      std::swap(weights, next);
    }
    // Infinite ratios are all equal: every group that has the output is one side, every other group the other.
    const Extremes close = extremes(weights, one.ratio == kInfinity ? 0 : least);
    for (const std::uint32_t a : close.from) {
      for (const std::uint32_t b : close.to) {
        if (a == b || (one.ratio == kInfinity && weights[b] > 0)) continue;
        const Number &own = sums.of(one.path, a), &other = sums.of(one.path, b);
        if (own.is_zero() || (path != nullptr && compare_products(own, q, other, p) <= 0)) continue;
        path = &one.path;
        from = a;
        to = b;
        p = own;
        q = other;
        if (one.ratio == kInfinity) break;
      }
      if (path != nullptr && one.ratio == kInfinity) break;
    }
  }
  if (path == nullptr) return std::nullopt;
  ListedOutput found{std::vector<std::uint32_t>(seen_.factors.size()), from, to};
  for (std::size_t d = 0; d < path->size(); ++d) found.outputs[layers_[d].factor] = (*path)[d];
  return found;
}

}  // namespace oddsbound::engine
