#include "verifier/ratios/output_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "verifier/model/witness.h"
#include "verifier/ratios/path_weights.h"
#include "verifier/ratios/suffixes.h"
#include "verifier/ratios/transport_bound.h"

namespace oddsbound::ratios {

namespace {

// A bound this close to the best ratio is looked at exactly.
constexpr double kClose = 1e-9;

struct Pair {
  std::uint32_t from;
  std::uint32_t to;
  double bound = kInfinity;  // of the ratios below the node
};

// The weights of the groups at a node, by suffix; up to a factor that all of them share.
struct Node {
  std::vector<std::vector<double>> weights;
  std::vector<Pair> pairs;  // that may still be better than the best
  bool out_of_range = false;
};

// Factors that tell the groups apart come first: what they show is known early.
std::vector<std::size_t> by_information(const SeenRows& seen) {
  std::vector<double> spread(seen.factors.size(), 0);
  for (std::size_t f = 0; f < spread.size(); ++f) {
    for (const std::vector<Number>& column : seen.factors[f].entries) {
      std::vector<double> sums(seen.masses.size(), 0);
      for (const SeenRow& row : seen.rows) sums[row.group] += row.weight.approx() * column[row.classes[f]].approx();
      double least = kInfinity;
      double most = 0;
      for (std::size_t g = 0; g < sums.size(); ++g) {
        if (seen.masses[g].is_zero()) continue;
        least = std::min(least, sums[g] / seen.masses[g].approx());
        most = std::max(most, sums[g] / seen.masses[g].approx());
      }
      const double ratio = most / least;
      spread[f] = ratio >= 0 ? std::max(spread[f], ratio) : kInfinity;  // none where doubles do not reach
    }
  }
  std::vector<std::size_t> order(spread.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return spread[a] > spread[b]; });
  return order;
}

class OutputSearch {
 public:
  OutputSearch(const SeenRows& seen, Budget& budget)
      : seen_(seen),
        budget_(budget),
        suffixes_(seen, by_information(seen), budget),
        exact_(seen, suffixes_),
        path_(suffixes_.depths()) {}

  SearchedLevel run() {
    Node root = root_node();
    for (const Pair& pair : root.pairs) climb_from_heaviest(pair);
    visit(0, root);
    return found();
  }

 private:
  const SeenFactor& factor(std::size_t depth) const { return seen_.factors[suffixes_.factor(depth)]; }

  Node root_node() const {
    Node root;
    root.weights.assign(seen_.masses.size(), std::vector<double>(suffixes_.layer(0).size, 0));
    for (std::size_t r = 0; r < seen_.rows.size(); ++r) {
      const SeenRow& row = seen_.rows[r];
      const double share = (row.weight / seen_.masses[row.group]).approx();
      if (!(share > kSmall && share < kLarge)) root.out_of_range = true;
      root.weights[row.group][suffixes_.root(r)] += share;
    }
    for (std::uint32_t from = 0; from < seen_.masses.size(); ++from) {
      for (std::uint32_t to = 0; to < seen_.masses.size(); ++to) {
        if (seen_.masses[from].is_zero() || seen_.masses[to].is_zero() || from == to) continue;
        root.pairs.push_back({from, to});
      }
    }
    return root;
  }

  // What is left of a node once the next factor's output is fixed.
  Node child_of(const Node& node, std::size_t depth, std::uint32_t output) const {
    const SuffixLayer& layer = suffixes_.layer(depth);
    const std::vector<double>& entries = suffixes_.entries(depth)[output];
    Node child;
    child.out_of_range = node.out_of_range;
    double most = 0;
    for (const std::vector<double>& weights : node.weights) {
      std::vector<double>& sums = child.weights.emplace_back(suffixes_.layer(depth + 1).size, 0);
      for (std::size_t s = 0; s < layer.size; ++s) {
        if (weights[s] == 0 || entries[layer.seen[s]] == 0) continue;
        const double weight = weights[s] * entries[layer.seen[s]];
        if (!(weight > kSmall && weight < kLarge)) child.out_of_range = true;
        sums[layer.next[s]] += weight;
        most = std::max(most, sums[layer.next[s]]);
      }
    }
    if (most > 0 && !child.out_of_range) rescale(child, most);
    for (Pair pair : node.pairs) {
      pair.bound = child.out_of_range ? kInfinity
                                      : transport_bound(suffixes_.layer(depth + 1), child.weights[pair.from],
                                                        child.weights[pair.to], suffixes_.error());
      if (!is_beaten(pair)) child.pairs.push_back(pair);
    }
    return child;
  }

  static void rescale(Node& node, double most) {
    const double scale = std::ldexp(1.0, -std::ilogb(most));  // a power of two, which rounds nothing
    for (std::vector<double>& weights : node.weights) {
      for (double& weight : weights) {
        if (weight != 0 && weight * scale < kSmall) node.out_of_range = true;
        weight *= scale;
      }
    }
  }

  bool is_beaten(const Pair& pair) const { return pair.bound == 0 || (best_ && pair.bound < best_least_); }

  void visit(std::size_t depth, const Node& node) {
    budget_.look();
    ++nodes_;
    if (depth == suffixes_.depths()) {
      for (const Pair& pair : node.pairs) offer(pair);
      return;
    }
    struct Child {
      std::uint32_t output;
      double bound;
      Node node;
    };
    std::vector<Child> children;
    for (std::uint32_t y = 0; y < factor(depth).outputs.size(); ++y) {
      Node child = child_of(node, depth, y);
      double most = 0;
      for (const Pair& pair : child.pairs) most = std::max(most, pair.bound);
      if (!child.pairs.empty()) children.push_back({y, most, std::move(child)});
    }
    std::stable_sort(children.begin(), children.end(),
                     [](const Child& a, const Child& b) { return a.bound > b.bound; });
    for (Child& child : children) {
      if (best_ && best_->p_to.is_zero()) return;
      path_[depth] = child.output;
      std::erase_if(child.node.pairs,
                    [&](const Pair& pair) { return is_beaten(pair) || cannot_beat_exactly(depth + 1, pair); });
      if (!child.node.pairs.empty()) visit(depth + 1, child.node);
    }
  }

  // Where doubles cannot tell: whether every u_r <= best * v_r, which bounds all ratios below by the best one.
  bool cannot_beat_exactly(std::size_t depth, const Pair& pair) const {
    if (!best_ || depth == suffixes_.depths() ||
        pair.bound > best_least_ * (1 + std::max(kClose, 64 * suffixes_.error()))) {
      return false;
    }
    const std::vector<Number> u = exact_.of(pair.from, depth, path_, budget_);
    const std::vector<Number> v = exact_.of(pair.to, depth, path_, budget_);
    for (std::size_t r = 0; r < u.size(); ++r) {
      budget_.tick();
      if (compare_products(u[r], best_->p_to, v[r], best_->p_from) > 0) return false;
    }
    return true;
  }

  // The path is an output: it is the best one if its ratio is larger than that of the best.
  void offer(const Pair& pair) {
    const Number p_from = exact_.of(pair.from, suffixes_.depths(), path_, budget_)[0];
    const Number p_to = exact_.of(pair.to, suffixes_.depths(), path_, budget_)[0];
    if (p_from.is_zero()) return;
    if (best_ && compare_products(p_from, best_->p_to, p_to, best_->p_from) <= 0) return;
    best_ = Best{path_, pair.from, pair.to, p_from, p_to};
    // A ratio out of the range of doubles counts as one at its end.
    best_least_ = p_to.is_zero() ? kInfinity : std::min((p_from / p_to).approx(), 0x1p999) * (1 - 0x1p-48);
  }

  // Local search: from the likeliest outputs of heavy rows, one factor's output at a time.
  void climb_from_heaviest(const Pair& pair) {
    constexpr std::size_t kStarts = 8;
    std::vector<std::size_t> rows;
    for (std::size_t r = 0; r < seen_.rows.size(); ++r) {
      if (seen_.rows[r].group == pair.from) rows.push_back(r);
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [&](std::size_t a, std::size_t b) { return seen_.rows[b].weight < seen_.rows[a].weight; });
    rows.resize(std::min(rows.size(), kStarts));
    for (const std::size_t r : rows) {
      likeliest_outputs(seen_.rows[r]);
      climb(pair);
    }
  }

  // Of each factor the output that stands out most for the row: entries are in proportion within an output only.
  void likeliest_outputs(const SeenRow& row) {
    for (std::size_t d = 0; d < path_.size(); ++d) {
      const std::uint32_t own = row.classes[suffixes_.factor(d)];
      const auto& entries = suffixes_.entries(d);
      path_[d] = 0;
      for (std::uint32_t y = 1; y < entries.size(); ++y) {
        if (share(entries[y], own) > share(entries[path_[d]], own)) path_[d] = y;
      }
    }
  }

  static double share(const std::vector<double>& column, std::uint32_t own) {
    return column[own] / std::accumulate(column.begin(), column.end(), 0.0);
  }

  void climb(const Pair& pair) {
    const double shares = (seen_.masses[pair.to] / seen_.masses[pair.from]).approx();
    double best = 0;
    bool improved = true;
    while (improved) {
      improved = false;
      for (std::size_t d = 0; d < path_.size(); ++d) {
        budget_.look();
        const std::size_t f = suffixes_.factor(d);
        const auto& entries = suffixes_.entries(d);
        std::vector<double> sums_from(factor(d).classes, 0);
        std::vector<double> sums_to(factor(d).classes, 0);
        for (const SeenRow& row : seen_.rows) {
          if (row.group != pair.from && row.group != pair.to) continue;
          double weight = row.weight.approx();
          for (std::size_t other = 0; other < path_.size(); ++other) {
            if (other == d) continue;
            weight *= suffixes_.entries(other)[path_[other]][row.classes[suffixes_.factor(other)]];
          }
          (row.group == pair.from ? sums_from : sums_to)[row.classes[f]] += weight;
        }
        for (std::uint32_t y = 0; y < entries.size(); ++y) {
          const double p_from = std::inner_product(sums_from.begin(), sums_from.end(), entries[y].begin(), 0.0);
          const double p_to = std::inner_product(sums_to.begin(), sums_to.end(), entries[y].begin(), 0.0);
          const double ratio = p_from == 0 ? 0 : p_from / p_to * shares;
          if (!(ratio > best * (1 + kClose))) continue;  // nor where doubles do not reach
          best = ratio;
          path_[d] = y;
          improved = true;
        }
      }
    }
    if (best * (1 + 4 * suffixes_.error()) >= best_least_ && offered_.insert(path_).second) offer(pair);
  }

  std::size_t count_factors() const {
    std::size_t count = 0;
    for (const SeenFactor& seen : seen_.factors) count += seen.factors.size();
    return count;
  }

  // With one group, nothing is told apart: any output that its first row may have stands for all.
  SearchedLevel found() {
    if (!best_) {
      const SeenRow& row = seen_.rows[0];
      for (std::size_t d = 0; d < path_.size(); ++d) path_[d] = exact_.first_possible(d, row);
      const Number probability = exact_.of(row.group, suffixes_.depths(), path_, budget_)[0];
      best_ = Best{path_, row.group, row.group, probability, probability};
    }
    SearchedLevel result;
    Number scale(1);
    result.output.resize(count_factors());
    for (std::size_t d = 0; d < path_.size(); ++d) {
      const std::vector<std::uint64_t>& outputs = factor(d).outputs[best_->path[d]];
      for (std::size_t k = 0; k < outputs.size(); ++k) result.output[factor(d).factors[k]] = outputs[k];
      scale *= factor(d).scale[best_->path[d]];
    }
    result.from = best_->from;
    result.to = best_->to;
    result.p_from = best_->p_from * scale;
    result.p_to = best_->p_to * scale;
    result.level = level_between(result.p_from, result.p_to);
    result.nodes = nodes_;
    return result;
  }

  struct Best {
    Path path;
    std::uint32_t from, to;
    Number p_from, p_to;  // in proportion
  };

  const SeenRows& seen_;
  Budget& budget_;
  Suffixes suffixes_;
  PathWeights exact_;
  Path path_;
  std::optional<Best> best_;
  double best_least_ = 0;   // not above the best ratio
  std::set<Path> offered_;  // by local search
  std::uint64_t nodes_ = 0;
};

}  // namespace

SearchedLevel search_outputs(const SeenRows& seen, Budget& budget) { return OutputSearch(seen, budget).run(); }

}  // namespace oddsbound::ratios
