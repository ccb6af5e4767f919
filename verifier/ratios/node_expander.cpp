#include "verifier/ratios/node_expander.h"

#include <algorithm>

#include "verifier/ratios/refined_bound.h"
#include "verifier/ratios/transport_bound.h"

namespace oddsbound::ratios {

namespace {

// A bound this close to the best ratio is looked at exactly.
constexpr double kClose = 1e-9;

}  // namespace

double largest_bound(const std::vector<Pair>& pairs) {
  double most = 0;
  for (const Pair& pair : pairs) most = std::max(most, pair.bound);
  return most;
}

NodeExpander::NodeExpander(const SeenRows& seen, const Suffixes& suffixes, const PathWeights& exact,
                           std::uint64_t bytes, Budget& budget, std::function<void()> look)
    : seen_(seen),
      suffixes_(suffixes),
      exact_(exact),
      most_gathered_(bytes / sizeof(double)),
      budget_(&budget),
      look_(std::move(look)),
      kernel_(suffixes, bytes, budget),
      root_(root_node(seen, suffixes)) {}

Node NodeExpander::node_at(const Path& path) const {
  Node node = root_;
  for (std::size_t d = 0; d < path.size(); ++d) node = fixed(suffixes_, node, d, path[d]);
  return node;
}

std::vector<Pair> NodeExpander::bounded(const Node& node, std::size_t depth, const std::vector<Pair>& pairs,
                                        const BestOutput& best) {
  if (node.out_of_range) return pairs;
  const GroupWeights reach = reaches(kernel_, depth, node.weights, look_);
  std::vector<Pair> open;
  for (Pair pair : pairs) {
    const std::vector<double>&u = node.weights[pair.from], &v = node.weights[pair.to];
    pair.bound = std::min(pair.bound, transport_bound(u, v, reach[pair.to], suffixes_.error()));
    if (is_beaten(pair, best)) continue;
    if (depth > 0 && depth < suffixes_.depths()) {
      const Refining refining{best.least, 20, 0.005, true, most_gathered_};
      const RefinedBound better = refined_bound(kernel_, depth, u, v, suffixes_.error(), refining, look_);
      pair.bound = std::min(pair.bound, better.ratio);
    }
    if (!is_beaten(pair, best)) open.push_back(pair);
  }
  return open;
}

std::vector<std::pair<std::uint32_t, Node>> NodeExpander::children_of(const Node& node, std::size_t depth,
                                                                      const BestOutput& best) {
  std::vector<std::pair<std::uint32_t, Node>> children;
  const std::size_t outputs = seen_.factors[suffixes_.factor(depth)].outputs.size();
  for (std::uint32_t y = 0; y < outputs; ++y) {
    look_();
    Node child = fixed(suffixes_, node, depth, y);
    child.pairs = bounded(child, depth + 1, node.pairs, best);
    if (!child.pairs.empty()) children.emplace_back(y, std::move(child));
  }
  return children;
}

// What is left of the largest bound is what other pairs need not fall below.
std::vector<Pair> NodeExpander::root_pairs(const Node& root, const BestOutput& best,
                                           const std::function<void(double)>& tell) {
  std::vector<Pair> pairs = bounded(root, 0, root.pairs, best);
  tell(largest_bound(pairs));
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.bound > b.bound; });
  double enough = best.least;
  for (Pair& pair : pairs) {
    if (root.out_of_range || suffixes_.depths() == 0 || pair.bound < enough) continue;
    const Refining refining{enough, 60, 0.002, false, most_gathered_};
    const RefinedBound better =
        refined_bound(kernel_, 0, root.weights[pair.from], root.weights[pair.to], suffixes_.error(), refining, look_);
    pair.bound = std::min(pair.bound, better.ratio);
    enough = std::max(enough, pair.bound);
    tell(largest_bound(pairs));
  }
  return pairs;
}

std::vector<Pair> NodeExpander::open_pairs(const Path& path, std::size_t depth, std::vector<Pair> pairs,
                                           const BestOutput& best) {
  std::erase_if(
      pairs, [&](const Pair& pair) { return is_beaten(pair, best) || cannot_beat_exactly(path, depth, pair, best); });
  return pairs;
}

// Where doubles cannot tell: whether every u_r <= best * v_r, which bounds all ratios below by the best one.
bool NodeExpander::cannot_beat_exactly(const Path& path, std::size_t depth, const Pair& pair,
                                       const BestOutput& best) const {
  if (depth == suffixes_.depths() || pair.bound > best.least * (1 + std::max(kClose, 64 * suffixes_.error()))) {
    return false;
  }
  const std::vector<Number> u = exact_.of(pair.from, depth, path, *budget_);
  const std::vector<Number> v = exact_.of(pair.to, depth, path, *budget_);
  for (std::size_t r = 0; r < u.size(); ++r) {
    budget_->tick();
    if (compare_products(u[r], best.p_to, v[r], best.p_from) > 0) return false;
  }
  return true;
}

}  // namespace oddsbound::ratios
