#include "tests/support/random_network.h"

#include <algorithm>
#include <numeric>

#include "tests/support/random_sets.h"

namespace oddsbound::testing {

using priors::IntervalNode;

namespace {

std::vector<std::size_t> shuffled(Random& random, std::size_t count) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

IntervalNode::Row random_row(Random& random, std::size_t values, bool open) {
  IntervalNode::Row row;
  row.lower = random_distribution(random, values, Entries::kRational);
  row.upper = row.lower;
  if (!open) return row;
  for (std::size_t k = 0; k < values; ++k) {
    if (below(random, 4) != 0) row.lower[k] *= random_share(random);
    if (below(random, 4) != 0) row.upper[k] = std::min(Number(1), row.upper[k] + random_share(random));
  }
  return row;
}

// Starts at the lower ends and raises the values in random order as far as their sum allows.
std::vector<Number> random_within(Random& random, const IntervalNode::Row& row) {
  std::vector<Number> result = row.lower;
  Number left(1);
  for (const Number& entry : result) left -= entry;
  const bool at_ends = below(random, 2) == 0;
  const std::vector<std::size_t> order = shuffled(random, result.size());
  for (int round = at_ends ? 1 : 0; round < 2; ++round) {
    for (const std::size_t k : order) {
      const Number room = std::min(left, row.upper[k] - result[k]);
      const Number added = round == 0 ? room * random_share(random) : room;
      result[k] += added;
      left -= added;
    }
  }
  return result;
}

std::size_t row_of(const Domain& domain, const std::vector<std::size_t>& parents, std::uint64_t x) {
  std::uint64_t row = 0;
  for (const std::size_t parent : parents) row = row * domain.values(parent) + domain.digit(x, parent);
  return row;
}

}  // namespace

std::vector<IntervalNode> random_intervals(Random& random, const Domain& domain, std::size_t most_open) {
  const std::vector<std::size_t> order = shuffled(random, domain.size());
  std::vector<IntervalNode> nodes;
  for (std::size_t k = 0; k < order.size(); ++k) {
    IntervalNode& node = nodes.emplace_back(IntervalNode{order[k], {}, {}});
    std::uint64_t rows = 1;
    for (std::size_t earlier = 0; earlier < k && node.parents.size() < 2; ++earlier) {
      if (below(random, 3) == 0) continue;
      node.parents.push_back(order[earlier]);
      rows *= domain.values(order[earlier]);
    }
    for (std::uint64_t r = 0; r < rows; ++r) {
      const bool open = most_open > 0 && below(random, 2) == 0;
      if (open) --most_open;
      node.rows.push_back(random_row(random, domain.values(order[k]), open));
    }
  }
  std::shuffle(nodes.begin(), nodes.end(), random);
  return nodes;
}

std::vector<NetworkNode> random_rows_within(Random& random, const std::vector<IntervalNode>& nodes) {
  std::vector<NetworkNode> result;
  for (const IntervalNode& node : nodes) {
    NetworkNode& own = result.emplace_back(NetworkNode{node.coordinate, node.parents, {}});
    for (const IntervalNode::Row& row : node.rows) own.table.push_back(random_within(random, row));
  }
  return result;
}

std::vector<Number> joint_of(const Domain& domain, const std::vector<NetworkNode>& nodes) {
  std::vector<Number> joint;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    Number mass(1);
    for (const NetworkNode& node : nodes) {
      mass *= node.table[row_of(domain, node.parents, x)][domain.digit(x, node.coordinate)];
    }
    joint.push_back(mass);
  }
  return joint;
}

bool is_within(const Domain& domain, const std::vector<IntervalNode>& nodes, const std::vector<Number>& joint) {
  std::vector<NetworkNode> conditionals;
  for (const IntervalNode& node : nodes) {
    NetworkNode& own = conditionals.emplace_back(NetworkNode{node.coordinate, node.parents, {}});
    own.table.assign(node.rows.size(), std::vector<Number>(domain.values(node.coordinate)));
    for (std::uint64_t x = 0; x < joint.size(); ++x) {
      own.table[row_of(domain, node.parents, x)][domain.digit(x, node.coordinate)] += joint[x];
    }
    for (std::size_t r = 0; r < own.table.size(); ++r) {
      const Number mass = std::accumulate(own.table[r].begin(), own.table[r].end(), Number(0));
      for (std::size_t k = 0; k < own.table[r].size() && !mass.is_zero(); ++k) {
        Number& entry = own.table[r][k];
        entry /= mass;
        if (entry < node.rows[r].lower[k] || entry > node.rows[r].upper[k]) return false;
      }
    }
  }
  return joint_of(domain, conditionals) == joint;
}

}  // namespace oddsbound::testing
