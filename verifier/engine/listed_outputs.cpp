#include "verifier/engine/listed_outputs.h"

#include <algorithm>
#include <map>

#include "verifier/exact/number.h"

namespace oddsbound::engine {

namespace {

// Outputs that doubles cannot separate from the best one. More of them are not compared exactly.
constexpr std::size_t kMostLeft = std::size_t{1} << 14;

std::vector<std::size_t> order_of(const Suffixes& suffixes, bool reversed) {
  std::vector<std::size_t> order;
  for (std::size_t d = 0; d < suffixes.depths(); ++d) order.push_back(suffixes.factor(d));
  if (reversed) std::reverse(order.begin(), order.end());
  return order;
}

double steps_of(const ProjectedRows& seen, const Suffixes& cells) {
  double outputs = 1, steps = 0;
  for (std::size_t d = 0; d < cells.depths(); ++d) {
    outputs *= static_cast<double>(seen.factors[cells.factor(d)].outputs.size());
    steps += outputs * static_cast<double>(cells.layer(d).size);
  }
  return steps;
}

}  // namespace

ListedOutputs::ListedOutputs(const ProjectedRows& seen, const Suffixes& suffixes, const PathWeights& exact,
                             Budget& budget)
    : seen_(seen),
      suffixes_(suffixes),
      exact_(exact),
      budget_(budget),
      cells_(seen, order_of(suffixes, false), budget, SuffixRows::kOfEachGroup),
      steps_(steps_of(seen, cells_)) {
  Suffixes reverse(seen, order_of(suffixes, true), budget, SuffixRows::kOfEachGroup);
  if (const double steps = steps_of(seen, reverse); steps < steps_) {
    cells_ = std::move(reverse);
    reversed_ = true;
    steps_ = steps;
  }
  for (std::uint32_t group = 0; group < seen.masses.size(); ++group) {
    if (seen.masses[group].is_zero()) continue;
    if (seen.direction.may_be_from(group)) from_.push_back(group);
    if (seen.direction.may_be_to(group)) to_.push_back(group);
  }
}

std::optional<ListedOutputs::Weights> ListedOutputs::first_weights() const {
  Weights weights(cells_.layer(0).size, 0);
  for (std::size_t r = 0; r < seen_.rows.size(); ++r) {
    const SeenRow& row = seen_.rows[r];
    const double share = (row.weight / seen_.masses[row.group]).approx();
    if (!(share > kSmall && share < kLarge)) return std::nullopt;
    weights[cells_.root(r)] += share;
  }
  return weights;
}

bool ListedOutputs::fix(std::size_t depth, std::uint32_t output, const Weights& before, Weights& after) const {
  const SuffixLayer& layer = cells_.layer(depth);
  const std::vector<double>& entries = cells_.entries(depth)[output];
  after.assign(cells_.layer(depth + 1).size, 0);
  for (std::size_t cell = 0; cell < before.size(); ++cell) {
    const double entry = entries[layer.seen[cell]];
    if (before[cell] == 0 || entry == 0) continue;
    const double weight = before[cell] * entry;
    if (!(weight > kSmall && weight < kLarge)) return false;
    after[layer.next[cell]] += weight;
  }
  return true;
}

// Compares the two largest with the two smallest groups, since the two sides must differ. 0: no pair has a ratio.
double ListedOutputs::largest_ratio(const Weights& groups) const {
  const auto first_two = [](const std::vector<std::uint32_t>& side, const auto& before) {
    std::vector<std::uint32_t> two(std::min<std::size_t>(2, side.size()));
    std::partial_sort_copy(side.begin(), side.end(), two.begin(), two.end(), before);
    return two;
  };
  double ratio = 0;
  for (const std::uint32_t from : first_two(from_, [&](auto a, auto b) { return groups[a] > groups[b]; })) {
    for (const std::uint32_t to : first_two(to_, [&](auto a, auto b) { return groups[a] < groups[b]; })) {
      if (from == to || groups[from] == 0) continue;
      ratio = std::max(ratio, groups[to] == 0 ? kInfinity : groups[from] / groups[to]);
    }
  }
  return ratio;
}

// Goes through all outputs in doubles.
class ListedOutputs::Pass {
 public:
  struct Left {
    double ratio;
    Path path;  // in the order of the cells
  };

  Pass(const ListedOutputs& list, const std::function<void()>& look)
      : list_(list), look_(look), weights_(list.cells_.depths() + 1), path_(list.cells_.depths()) {}

  bool run(Weights first) {
    weights_[0] = std::move(first);
    return visit(0);
  }
  /// Outputs with a ratio below this one are worse than the best.
  double least() const { return best_ * (1 - 4 * list_.cells_.error()); }
  std::vector<Left> left() {
    std::erase_if(left_, [this](const Left& one) { return one.ratio < least(); });
    return std::move(left_);
  }

 private:
  // Returns false if the pass has to be given up.
  bool visit(std::size_t depth) {
    if (depth == path_.size()) return offer();
    if (depth + 1 == path_.size()) look_();
    const auto outputs = static_cast<std::uint32_t>(list_.cells_.entries(depth).size());
    for (std::uint32_t y = 0; y < outputs; ++y) {
      path_[depth] = y;
      if (!list_.fix(depth, y, weights_[depth], weights_[depth + 1]) || !visit(depth + 1)) return false;
    }
    return true;
  }

  bool offer() {
    const double ratio = list_.largest_ratio(weights_.back());
    if (ratio == 0 || ratio < least()) return true;
    if (best_ == kInfinity) return true;  // one of these is enough
    if (ratio == kInfinity) left_.clear();
    left_.push_back({ratio, path_});
    best_ = std::max(best_, ratio);
    if (left_.size() > kMostLeft) left_ = left();
    return left_.size() <= kMostLeft;
  }

  const ListedOutputs& list_;
  const std::function<void()>& look_;
  std::vector<Weights> weights_;  // [depth]
  Path path_;
  double best_ = 0;
  std::vector<Left> left_;
};

std::optional<ListedOutput> ListedOutputs::best(const std::function<void()>& look) const {
  std::optional<Weights> first = first_weights();
  if (!first) return std::nullopt;
  Pass pass(*this, look);
  if (!pass.run(*first)) return std::nullopt;
  const double least = pass.least();
  std::optional<ListedOutput> found;
  Number p, q;  // of the output that was found
  for (Pass::Left& one : pass.left()) {
    look();
    Weights groups = *first, next;
    for (std::size_t d = 0; d < one.path.size(); ++d) {
      fix(d, one.path[d], groups, next);
      std::swap(groups, next);
    }
    if (reversed_) std::reverse(one.path.begin(), one.path.end());
    std::map<std::uint32_t, Number> known;
    const auto exactly = [&](std::uint32_t group) -> const Number& {
      const auto [place, is_new] = known.try_emplace(group);
      if (is_new) place->second = exact_.of(group, suffixes_.depths(), one.path, budget_)[0];
      return place->second;
    };
    double most = 0, fewest = kInfinity;
    for (const std::uint32_t from : from_) most = std::max(most, groups[from]);
    for (const std::uint32_t to : to_) fewest = std::min(fewest, groups[to]);
    for (const std::uint32_t from : from_) {
      const double own = groups[from];
      if (own == 0 || (fewest > 0 && own < least * fewest)) continue;
      for (const std::uint32_t to : to_) {
        const double other = groups[to];
        if (from == to || (other > 0 && least * other > most)) continue;
        if (found && compare_products(exactly(from), q, exactly(to), p) <= 0) continue;
        found = ListedOutput{one.path, from, to};
        p = exactly(from);
        q = exactly(to);
      }
    }
  }
  return found;
}

}  // namespace oddsbound::engine
