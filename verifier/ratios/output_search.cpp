#include "verifier/ratios/output_search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <optional>
#include <queue>
#include <set>

#include "base/errors.h"
#include "verifier/exact/decimal.h"
#include "verifier/model/witness.h"
#include "verifier/ratios/local_search.h"
#include "verifier/ratios/path_weights.h"
#include "verifier/ratios/proven_bound.h"
#include "verifier/ratios/suffixes.h"
#include "verifier/ratios/transport_bound.h"

namespace oddsbound::ratios {

namespace {

// A bound this close to the best ratio is looked at exactly.
constexpr double kClose = 1e-9;
// As many nodes wait for their turn; further ones are gone through at once.
constexpr std::size_t kMostWaiting = std::size_t{1} << 18;

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

// A node that waits for its turn: the larger its bound, the earlier.
struct Waiting {
  double bound;
  Path path;
  std::vector<Pair> pairs;
  friend bool operator<(const Waiting& a, const Waiting& b) {
    return a.bound != b.bound ? a.bound < b.bound : a.path.size() < b.path.size();
  }
};

double largest_bound(const std::vector<Pair>& pairs) {
  double most = 0;
  for (const Pair& pair : pairs) most = std::max(most, pair.bound);
  return most;
}

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
  OutputSearch(const SeenRows& seen, double seconds, Budget& budget)
      : seen_(seen),
        budget_(budget),
        deadline_(std::chrono::steady_clock::now() +
                  std::chrono::milliseconds(static_cast<std::int64_t>(1000 * std::min(seconds, 1e8)))),
        suffixes_(seen, by_information(seen), budget),
        exact_(seen, suffixes_),
        path_(suffixes_.depths()) {}

  SearchedLevel run() {
    const Node root = root_node();
    offer_any(root.pairs);
    try {
      for (const Pair& pair : root.pairs) climb(pair, root.pairs.size());
      LossKernel kernel(suffixes_, budget_.memory_left_mb() * (1024 * 1024 / 4), budget_);
      kernel_ = &kernel;
      explore(root.pairs);
    } catch (const LimitError& error) {
      return unfinished(error.what());
    }
    return found();
  }

 private:
  const SeenFactor& factor(std::size_t depth) const { return seen_.factors[suffixes_.factor(depth)]; }

  void look() {
    budget_.look();
    if (std::chrono::steady_clock::now() > deadline_) budget_.fail_for_time();
  }

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

  // What is left of a node once the next factor's output is fixed, without bounds.
  Node fixed(const Node& node, std::size_t depth, std::uint32_t output) const {
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

  double bound_at(const Node& node, std::size_t depth, const Pair& pair) {
    if (node.out_of_range) return kInfinity;
    return transport_bound(*kernel_, depth, node.weights[pair.from], node.weights[pair.to], suffixes_.error(),
                           [this] { look(); });
  }

  bool is_beaten(const Pair& pair) const { return pair.bound == 0 || (best_ && pair.bound < best_least_); }

  // The children that may hold something better than the best, by their outputs.
  std::vector<std::pair<std::uint32_t, Node>> children_of(const Node& node, std::size_t depth) {
    std::vector<std::pair<std::uint32_t, Node>> children;
    for (std::uint32_t y = 0; y < factor(depth).outputs.size(); ++y) {
      look();
      Node child = fixed(node, depth, y);
      for (Pair pair : node.pairs) {
        pair.bound = std::min(pair.bound, bound_at(child, depth + 1, pair));
        if (!is_beaten(pair)) child.pairs.push_back(pair);
      }
      if (!child.pairs.empty()) children.emplace_back(y, std::move(child));
    }
    return children;
  }

  // Best first: what is left is bounded by the node whose turn it is.
  void explore(const std::vector<Pair>& pairs) {
    Node root = root_node();
    for (Pair pair : pairs) {
      pair.bound = bound_at(root, 0, pair);
      root_bounds_.push_back(pair);
    }
    std::priority_queue<Waiting> waiting;
    waiting.push({largest_bound(root_bounds_), {}, root_bounds_});
    while (!waiting.empty()) {
      const Waiting next = waiting.top();
      waiting.pop();
      above_ = next.bound;
      if (best_ && (best_->p_to.is_zero() || next.bound < best_least_)) return;
      Node node = root;
      for (std::size_t d = 0; d < next.path.size(); ++d) {
        path_[d] = next.path[d];
        node = fixed(node, d, next.path[d]);
      }
      const std::size_t depth = next.path.size();
      node.pairs = open_pairs(depth, next.pairs);
      if (node.pairs.empty()) continue;
      if (depth == suffixes_.depths() || waiting.size() >= kMostWaiting) {
        visit(depth, node);
        continue;
      }
      ++nodes_;
      for (auto& [y, child] : children_of(node, depth)) {
        Path path = next.path;
        path.push_back(y);
        const double bound = largest_bound(child.pairs);
        waiting.push({bound, std::move(path), std::move(child.pairs)});
      }
    }
  }

  // Depth first, without keeping what is left.
  void visit(std::size_t depth, const Node& node) {
    look();
    ++nodes_;
    if (depth == suffixes_.depths()) {
      for (const Pair& pair : node.pairs) offer(pair);
      return;
    }
    auto children = children_of(node, depth);
    std::stable_sort(children.begin(), children.end(), [](const auto& a, const auto& b) {
      return largest_bound(a.second.pairs) > largest_bound(b.second.pairs);
    });
    for (auto& [y, child] : children) {
      if (best_ && best_->p_to.is_zero()) return;
      path_[depth] = y;
      child.pairs = open_pairs(depth + 1, child.pairs);
      if (!child.pairs.empty()) visit(depth + 1, child);
    }
  }

  std::vector<Pair> open_pairs(std::size_t depth, std::vector<Pair> pairs) const {
    std::erase_if(pairs, [&](const Pair& pair) { return is_beaten(pair) || cannot_beat_exactly(depth, pair); });
    return pairs;
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

  // Any output that the first row may have: no less likely from one of two groups than from the other.
  void offer_any(const std::vector<Pair>& pairs) {
    const SeenRow& row = seen_.rows[0];
    for (std::size_t d = 0; d < path_.size(); ++d) path_[d] = exact_.first_possible(d, row);
    if (pairs.empty()) {  // one group: nothing is told apart
      const Number probability = exact_.of(row.group, suffixes_.depths(), path_, budget_)[0];
      best_ = Best{path_, row.group, row.group, probability, probability};
      return;
    }
    offer(pairs.front());
    offer({pairs.front().to, pairs.front().from});
  }

  void climb(const Pair& pair, std::size_t pairs) {
    const std::size_t starts = std::max<std::size_t>(1, 48 / pairs);
    LocalSearch(seen_, suffixes_)
        .climb(pair.from, pair.to, std::min<std::size_t>(starts, 8), [this] { look(); },
               [&](const LocalSearch::Found& candidate) {
                 if (candidate.ratio * (1 + 4 * suffixes_.error()) < best_least_) return;
                 if (!offered_.insert(candidate.path).second) return;
                 path_ = candidate.path;
                 offer(pair);
               });
  }

  std::size_t count_factors() const {
    std::size_t count = 0;
    for (const SeenFactor& seen : seen_.factors) count += seen.factors.size();
    return count;
  }

  SearchedLevel found() const {
    SearchedLevel result;
    Number scale(1);
    result.output.resize(count_factors());
    for (std::size_t d = 0; d < best_->path.size(); ++d) {
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

  // No output is above the best, the node whose turn it was, or what all factors lose.
  SearchedLevel unfinished(const std::string& reason) const {
    SearchedLevel result = found();
    const Level bound = std::min(level_above(std::max(above_, best_least_)), largest_loss(seen_));
    if (bound > result.level) result.unfinished = Unfinished{bound, reason};
    return result;
  }

  struct Best {
    Path path;
    std::uint32_t from, to;
    Number p_from, p_to;  // in proportion
  };

  const SeenRows& seen_;
  Budget& budget_;
  std::chrono::steady_clock::time_point deadline_;
  Suffixes suffixes_;
  PathWeights exact_;
  LossKernel* kernel_ = nullptr;
  Path path_;
  std::optional<Best> best_;
  double best_least_ = 0;    // not above the best ratio
  double above_ = kInfinity;  // not below the ratio of any output that was not gone through
  std::vector<Pair> root_bounds_;
  std::set<Path> offered_;  // by local search
  std::uint64_t nodes_ = 0;
};

}  // namespace

SearchedLevel search_outputs(const SeenRows& seen, Budget& budget, double seconds) {
  return OutputSearch(seen, seconds, budget).run();
}

}  // namespace oddsbound::ratios
