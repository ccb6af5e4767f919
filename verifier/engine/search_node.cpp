#include "verifier/engine/search_node.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>

#include "verifier/linear/basis.h"

namespace oddsbound::engine {

namespace {

void rescale(Node& node, double most) {
  const double scale = std::ldexp(1.0, -std::ilogb(most));  // a power of two: no rounding
  for (std::vector<double>& weights : node.weights) {
    for (double& weight : weights) {
      if (weight != 0 && weight * scale < kSmall) node.out_of_range = true;
      weight *= scale;
    }
  }
}

}  // namespace

std::vector<std::size_t> by_information(const ProjectedRows& seen) {
  std::vector<double> spread(seen.factors.size(), 0);
  std::vector<double> weights;
  for (const SeenRow& row : seen.rows) weights.push_back(row.weight.approx());
  for (std::size_t f = 0; f < spread.size(); ++f) {
    for (const std::vector<Number>& column : seen.factors[f].entries) {
      std::vector<double> entries;
      for (const Number& entry : column) entries.push_back(entry.approx());
      std::vector<double> sums(seen.masses.size(), 0);
      for (std::size_t r = 0; r < seen.rows.size(); ++r) {
        sums[seen.rows[r].group] += weights[r] * entries[seen.rows[r].classes[f]];
      }
      double least = kInfinity;
      double most = 0;
      for (std::size_t g = 0; g < sums.size(); ++g) {
        if (seen.masses[g].is_zero()) continue;
        least = std::min(least, sums[g] / seen.masses[g].approx());
        most = std::max(most, sums[g] / seen.masses[g].approx());
      }
      const double ratio = most / least;
      spread[f] = ratio >= 0 ? std::max(spread[f], ratio) : kInfinity;  // infinite outside the range of doubles
    }
  }
  std::vector<std::size_t> order(spread.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return spread[a] > spread[b]; });
  return order;
}

Node root_node(const ProjectedRows& seen, const Suffixes& suffixes) {
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

// The margin (1e-12 relative, 1e-9 nats absolute) exceeds the rounding error of the double's logarithm.
Level level_above(double ratio) {
  if (!std::isfinite(ratio)) return Level::infinite();
  constexpr double kUnits = 1e6;  // of a nat
  const double nats = std::log(std::max(ratio, 1.0));
  const auto units = static_cast<std::int64_t>(std::ceil(nats * kUnits * (1 + 1e-12) + 1e-3));
  return Level::of_exponential(Number::exp_of(Number::ratio(units, static_cast<std::int64_t>(kUnits))));
}

Level largest_loss(const SeenFactor& factor) {
  Number largest(1);
  for (const std::vector<Number>& column : factor.entries) {
    const auto [least, most] = std::minmax_element(column.begin(), column.end());
    if (least->is_zero()) return Level::infinite();
    largest = std::max(largest, *most / *least);
  }
  return Level::of_exponential(largest);
}

Level largest_loss(const ProjectedRows& seen) {
  Level sum = Level::of_exponential(Number(1));
  for (const SeenFactor& factor : seen.factors) sum = sum + largest_loss(factor);
  return sum;
}

namespace {

using NumberRows = std::vector<std::vector<Number>>;

// With more classes, few outputs are redundant, and the exact inversion takes too long.
constexpr std::size_t kMostTried = 16;

// Returns, for each class, the output in which it has the largest share.
std::vector<std::size_t> corners_of(const NumberRows& columns, Budget& budget) {
  std::vector<Number> sums;
  for (const std::vector<Number>& column : columns) {
    budget.check_every();
    sums.push_back(std::accumulate(column.begin(), column.end(), Number(0)));
  }
  std::vector<std::size_t> corners(columns[0].size(), 0);
  for (std::size_t c = 0; c < corners.size(); ++c) {
    for (std::size_t y = 1; y < columns.size(); ++y) {
      budget.check_every();
      if (compare_products(columns[y][c], sums[corners[c]], columns[corners[c]][c], sums[y]) > 0) corners[c] = y;
    }
  }
  return corners;
}

// Returns the inverse of the matrix whose columns are those of the corners; nullopt if it is singular.
std::optional<NumberRows> inverse_of(const NumberRows& columns, const std::vector<std::size_t>& corners,
                                     Budget& budget) {
  const std::size_t n = corners.size();
  NumberRows rows(n);  // the matrix, and beside it the identity matrix, which becomes the inverse
  for (std::size_t r = 0; r < n; ++r) {
    for (const std::size_t corner : corners) rows[r].push_back(columns[corner][r]);
    rows[r].resize(2 * n);
    rows[r][n + r] = Number(1);
  }
  const auto pivot = [&](std::size_t k) {
    std::optional<std::size_t> row = k;
    while (*row < n && rows[*row][k].is_zero()) ++*row;
    return *row < n ? row : std::nullopt;
  };
  if (!linear::eliminate(rows, n, pivot, budget)) return std::nullopt;
  for (std::vector<Number>& row : rows) row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n));
  return rows;
}

bool is_a_sum(const std::vector<Number>& column, const NumberRows& inverse, Budget& budget) {
  for (const std::vector<Number>& row : inverse) {
    budget.check_every();
    if (linear::dot(row, column).sign() < 0) return false;
  }
  return true;
}

}  // namespace

std::vector<std::size_t> needed_outputs(const std::vector<std::vector<Number>>& columns, Budget& budget) {
  std::vector<std::size_t> all(columns.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::size_t classes = columns.empty() ? 0 : columns[0].size();
  if (classes < 2 || classes > kMostTried || columns.size() <= classes) return all;
  const std::vector<std::size_t> corners = corners_of(columns, budget);
  const std::set<std::size_t> kept(corners.begin(), corners.end());
  if (kept.size() < classes) return all;
  const std::optional<NumberRows> inverse = inverse_of(columns, corners, budget);
  if (!inverse) return all;
  std::erase_if(all, [&](std::size_t y) { return !kept.contains(y) && is_a_sum(columns[y], *inverse, budget); });
  return all;
}

}  // namespace oddsbound::engine
