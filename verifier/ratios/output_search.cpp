#include "verifier/ratios/output_search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <queue>

#include "base/errors.h"
#include "verifier/model/witness.h"
#include "verifier/ratios/local_search.h"
#include "verifier/ratios/path_weights.h"
#include "verifier/ratios/proven_bound.h"
#include "verifier/ratios/refined_bound.h"
#include "verifier/ratios/search_node.h"
#include "verifier/ratios/transport_bound.h"

namespace oddsbound::ratios {

namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kBetweenTold = std::chrono::milliseconds(200);
// A bound this close to the best ratio is looked at exactly.
constexpr double kClose = 1e-9;
// As many nodes wait for their turn; further ones are gone through at once.
constexpr std::size_t kMostWaiting = std::size_t{1} << 18;

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

class OutputSearch {
 public:
  OutputSearch(const SeenRows& seen, const Patience& patience, Budget& budget)
      : seen_(seen),
        budget_(budget),
        patience_(patience),
        deadline_(Clock::now() +
                  std::chrono::milliseconds(static_cast<std::int64_t>(1000 * std::min(patience.seconds, 1e8)))),
        suffixes_(seen, by_information(seen), budget),
        exact_(seen, suffixes_),
        path_(suffixes_.depths()) {}

  SearchedLevel run() {
    const Node root = root_node(seen_, suffixes_);
    offer_any(root.pairs);
    try {
      climb(root.pairs);
      const std::uint64_t bytes = LossKernel::bytes_to_keep(budget_);
      most_gathered_ = bytes / sizeof(double);
      LossKernel kernel(suffixes_, bytes, budget_);
      kernel_ = &kernel;
      explore(root);
    } catch (const LimitError& error) {
      return unfinished(error.what());
    }
    return found();
  }

 private:
  const SeenFactor& factor(std::size_t depth) const { return seen_.factors[suffixes_.factor(depth)]; }

  void look() {
    if (patience_.stop.stop_requested()) Budget::fail_for_stop();
    budget_.look();
    const auto now = Clock::now();
    if (now > deadline_) budget_.fail_for_time();
    if (!patience_.told || now < next_told_) return;
    next_told_ = now + kBetweenTold;
    patience_.told(std::log(best_least_), std::log(std::max(above_, best_least_)), nodes_);
  }

  void open_node() {
    if (nodes_ == patience_.most_nodes) {
      throw LimitError("more than " + std::to_string(nodes_) + " branches of a search would be opened");
    }
    ++nodes_;
  }

  // Not below the ratios of each pair below a node, for all pairs that are open there.
  std::vector<Pair> bounded(const Node& node, std::size_t depth, const std::vector<Pair>& pairs) {
    if (node.out_of_range) return pairs;
    const std::function<void()> looking = [this] { look(); };
    const GroupWeights reach = reaches(*kernel_, depth, node.weights, looking);
    std::vector<Pair> open;
    for (Pair pair : pairs) {
      const std::vector<double>&u = node.weights[pair.from], &v = node.weights[pair.to];
      pair.bound = std::min(pair.bound, transport_bound(u, v, reach[pair.to], suffixes_.error()));
      if (is_beaten(pair)) continue;
      if (depth > 0 && depth < suffixes_.depths()) {
        const Refining refining{best_least_, 20, 0.005, true, most_gathered_};
        const RefinedBound better = refined_bound(*kernel_, depth, u, v, suffixes_.error(), refining, looking);
        pair.bound = std::min(pair.bound, better.ratio);
      }
      if (!is_beaten(pair)) open.push_back(pair);
    }
    return open;
  }

  bool is_beaten(const Pair& pair) const { return pair.bound == 0 || pair.bound < best_least_; }

  // The children that may hold something better than the best, by their outputs.
  std::vector<std::pair<std::uint32_t, Node>> children_of(const Node& node, std::size_t depth) {
    std::vector<std::pair<std::uint32_t, Node>> children;
    for (std::uint32_t y = 0; y < factor(depth).outputs.size(); ++y) {
      look();
      Node child = fixed(suffixes_, node, depth, y);
      child.pairs = bounded(child, depth + 1, node.pairs);
      if (!child.pairs.empty()) children.emplace_back(y, std::move(child));
    }
    return children;
  }

  // All there is, as one node: what is left of the largest bound is what other pairs need not fall below.
  std::vector<Pair> root_pairs(const Node& root) {
    std::vector<Pair> pairs = bounded(root, 0, root.pairs);
    above_ = largest_bound(pairs);
    root_bound_ = above_;
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.bound > b.bound; });
    double enough = best_least_;
    for (Pair& pair : pairs) {
      if (root.out_of_range || suffixes_.depths() == 0 || pair.bound < enough) continue;
      const Refining refining{enough, 60, 0.002, false, most_gathered_};
      const RefinedBound better = refined_bound(*kernel_, 0, root.weights[pair.from], root.weights[pair.to],
                                                suffixes_.error(), refining, [this] { look(); });
      pair.bound = std::min(pair.bound, better.ratio);
      enough = std::max(enough, pair.bound);
      above_ = largest_bound(pairs);
    }
    return pairs;
  }

  // Best first: what is left is bounded by the node whose turn it is.
  void explore(const Node& root) {
    std::priority_queue<Waiting> waiting;
    std::vector<Pair> pairs = root_pairs(root);
    const double bound = largest_bound(pairs);
    waiting.push({bound, {}, std::move(pairs)});
    while (!waiting.empty()) {
      const Waiting next = waiting.top();
      waiting.pop();
      above_ = next.bound;
      if (best_->p_to.is_zero() || next.bound < best_least_) return;
      Node node = root;
      for (std::size_t d = 0; d < next.path.size(); ++d) {
        path_[d] = next.path[d];
        node = fixed(suffixes_, node, d, next.path[d]);
      }
      const std::size_t depth = next.path.size();
      node.pairs = open_pairs(depth, next.pairs);
      if (node.pairs.empty()) continue;
      if (depth == suffixes_.depths() || waiting.size() >= kMostWaiting) {
        visit(depth, node);
        continue;
      }
      open_node();
      for (auto& [y, child] : children_of(node, depth)) {
        Path path = next.path;
        path.push_back(y);
        const double below = largest_bound(child.pairs);
        waiting.push({below, std::move(path), std::move(child.pairs)});
      }
    }
  }

  // Depth first, without keeping what is left.
  void visit(std::size_t depth, const Node& node) {
    look();
    open_node();
    if (depth == suffixes_.depths()) {
      for (const Pair& pair : node.pairs) offer(pair);
      return;
    }
    auto children = children_of(node, depth);
    std::stable_sort(children.begin(), children.end(), [](const auto& a, const auto& b) {
      return largest_bound(a.second.pairs) > largest_bound(b.second.pairs);
    });
    for (auto& [y, child] : children) {
      if (best_->p_to.is_zero()) return;
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
    if (depth == suffixes_.depths() || pair.bound > best_least_ * (1 + std::max(kClose, 64 * suffixes_.error()))) {
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

  // Any output that a row of the first pair may have. It is no less likely from one of two groups than from the other.
  void offer_any(const std::vector<Pair>& pairs) {
    const auto first = std::find_if(seen_.rows.begin(), seen_.rows.end(), [&](const SeenRow& row) {
      return pairs.empty() || row.group == pairs.front().from;
    });
    const SeenRow& row = *first;
    for (std::size_t d = 0; d < path_.size(); ++d) path_[d] = exact_.first_possible(d, row);
    if (pairs.empty()) {  // one group: nothing is told apart
      const Number probability = exact_.of(row.group, suffixes_.depths(), path_, budget_)[0];
      best_ = Best{path_, row.group, row.group, probability, probability};
      return;
    }
    offer(pairs.front());
    if (seen_.direction.allows(pairs.front().to, pairs.front().from)) offer({pairs.front().to, pairs.front().from});
  }

  // The best candidates first: few of them have to be computed exactly.
  void climb(const std::vector<Pair>& pairs) {
    const std::size_t starts = std::clamp<std::size_t>(48 / std::max<std::size_t>(1, pairs.size()), 1, 8);
    const LocalSearch local(seen_, suffixes_);
    std::vector<std::pair<LocalSearch::Found, Pair>> candidates;
    const auto offer_candidates = [&] {
      std::stable_sort(candidates.begin(), candidates.end(),
                       [](const auto& a, const auto& b) { return a.first.ratio > b.first.ratio; });
      for (const auto& [candidate, pair] : candidates) {
        if (candidate.ratio * (1 + 4 * suffixes_.error()) < best_least_) break;
        const bool known = best_->path == candidate.path && best_->from == pair.from && best_->to == pair.to;
        if (known) continue;
        path_ = candidate.path;
        offer(pair);
      }
    };
    try {
      for (const Pair& pair : pairs) {
        local.climb(
            pair.from, pair.to, starts, [this] { look(); },
            [&](LocalSearch::Found found) { candidates.emplace_back(std::move(found), pair); });
      }
    } catch (const LimitError&) {
      offer_candidates();
      throw;
    }
    offer_candidates();
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
      scale *= factor(d).scale(best_->path[d]);
    }
    result.from = best_->from;
    result.to = best_->to;
    result.p_from = best_->p_from * scale;
    result.p_to = best_->p_to * scale;
    result.shown = result.p_from >= result.p_to;
    if (result.shown) result.level = level_between(result.p_from, result.p_to);
    result.nodes = nodes_;
    if (root_bound_) result.root_bound = std::min(level_above(*root_bound_), largest_loss(seen_));
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
  const Patience& patience_;
  Clock::time_point deadline_;
  Clock::time_point next_told_{};
  Suffixes suffixes_;
  PathWeights exact_;
  LossKernel* kernel_ = nullptr;
  std::size_t most_gathered_ = 0;
  Path path_;
  std::optional<Best> best_;  // there from the start, by offer_any
  double best_least_ = 0;     // not above the best ratio
  double above_ = kInfinity;  // not below the ratio of any output that was not gone through
  std::uint64_t nodes_ = 0;
  std::optional<double> root_bound_;
};

}  // namespace

SearchedLevel search_outputs(const SeenRows& seen, Budget& budget, const Patience& patience) {
  return OutputSearch(seen, patience, budget).run();
}

}  // namespace oddsbound::ratios
