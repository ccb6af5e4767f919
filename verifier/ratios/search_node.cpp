#include "verifier/ratios/search_node.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace oddsbound::ratios {

namespace {

void rescale(Node& node, double most) {
  const double scale = std::ldexp(1.0, -std::ilogb(most));  // a power of two, which rounds nothing
  for (std::vector<double>& weights : node.weights) {
    for (double& weight : weights) {
      if (weight != 0 && weight * scale < kSmall) node.out_of_range = true;
      weight *= scale;
    }
  }
}

}  // namespace

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

Node root_node(const SeenRows& seen, const Suffixes& suffixes) {
  Node root;
  root.weights.assign(seen.masses.size(), std::vector<double>(suffixes.layer(0).size, 0));
  for (std::size_t r = 0; r < seen.rows.size(); ++r) {
    const SeenRow& row = seen.rows[r];
    const double share = (row.weight / seen.masses[row.group]).approx();
    if (!(share > kSmall && share < kLarge)) root.out_of_range = true;
    root.weights[row.group][suffixes.root(r)] += share;
  }
  for (std::uint32_t from = 0; from < seen.masses.size(); ++from) {
    for (std::uint32_t to = 0; to < seen.masses.size(); ++to) {
      if (seen.masses[from].is_zero() || seen.masses[to].is_zero() || !seen.direction.allows(from, to)) continue;
      root.pairs.push_back({from, to});
    }
  }
  return root;
}

Node fixed(const Suffixes& suffixes, const Node& node, std::size_t depth, std::uint32_t output) {
  const SuffixLayer& layer = suffixes.layer(depth);
  const std::vector<double>& entries = suffixes.entries(depth)[output];
  Node child;
  child.out_of_range = node.out_of_range;
  double most = 0;
  for (const std::vector<double>& weights : node.weights) {
    std::vector<double>& sums = child.weights.emplace_back(suffixes.layer(depth + 1).size, 0);
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

}  // namespace oddsbound::ratios
