// Bayesian networks as priors: each coordinate's distribution given its parents. Only the ancestors of the queried
// coordinates enter a sum (all others sum to 1), and values of probability 0 are skipped. The rest is variable
// elimination.

#include "verifier/model/network_prior.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <set>

#include "base/errors.h"
#include "verifier/model/prior.h"

namespace oddsbound::model {

namespace {

class NetworkPrior final : public PriorKind {
 public:
  /// `nodes` has one node per coordinate, parents before children.
  NetworkPrior(DomainShape shape, std::vector<NetworkNode> nodes)
      : PriorKind(std::move(shape), Number(1)), nodes_(std::move(nodes)), node_of_(nodes_.size()) {
    for (std::size_t n = 0; n < nodes_.size(); ++n) node_of_[nodes_[n].coordinate] = n;
    for (const NetworkNode& node : nodes_) {
      for ([[maybe_unused]] const std::size_t parent : node.parents)
        assert(node_of_[parent] < node_of_[node.coordinate]);
    }
  }

  Number weight(InputView row) const override {
    Number product(1);
    for (const NetworkNode& node : nodes_) {
      product *= node.table[index_of(shape(), row, node.parents)][row[node.coordinate]];
      if (product.is_zero()) break;
    }
    return product;
  }

  bool has_independent_coordinates() const override {
    return std::all_of(nodes_.begin(), nodes_.end(), [](const NetworkNode& node) { return node.parents.empty(); });
  }

  std::vector<WeightTable> tables() const override { return tables_of(std::vector<bool>(shape().size(), true)); }

  // Every entry is a factor of some input's weight.
  bool has_full_support(Budget&) const override {
    for (const NetworkNode& node : nodes_) {
      for (const auto& row : node.table) {
        if (std::any_of(row.begin(), row.end(), [](const Number& p) { return p.is_zero(); })) return false;
      }
    }
    return true;
  }

  void each_row(Budget& budget, const RowVisitor& visit) const override {
    InputRow row(shape().size());
    each_row_from(0, Number(1), row, budget, visit);
  }

  // Below a coordinate with several parents or none, P(x) = sum over u of P(u) P(x | u) for each single parent. So
  // chains and trees cost one small sum per ancestor. An elimination would look through all tables for each of them.
  std::vector<Number> marginal_weights(std::size_t i, Budget& budget) const override {
    std::vector<std::size_t> path;
    for (; nodes_[node_of_[i]].parents.size() == 1; i = nodes_[node_of_[i]].parents[0]) path.push_back(i);
    const std::size_t kept[] = {i};
    std::vector<Number> weights = nodes_[node_of_[i]].parents.empty()
                                      ? nodes_[node_of_[i]].table[0]
                                      : summed_product(shape(), tables_of(ancestors_of(kept)), kept, budget);
    for (auto below = path.rbegin(); below != path.rend(); ++below) {
      const NetworkNode& node = nodes_[node_of_[*below]];
      std::vector<Number> next;
      for (std::size_t x = 0; x < shape()[*below]; ++x) {
        budget.check_every();
        std::vector<WeightedTerm> terms;
        for (std::size_t u = 0; u < weights.size(); ++u) terms.push_back({weights[u], node.table[u][x]});
        next.push_back(weighted_sum(terms));
      }
      weights = std::move(next);
    }
    return weights;
  }

  InputRow draw(const PickWeight& pick) const override {
    InputRow row(shape().size());
    for (const NetworkNode& node : nodes_) {
      row[node.coordinate] = static_cast<std::uint32_t>(pick(node.table[index_of(shape(), row, node.parents)]));
    }
    return row;
  }

  Prior marginal(std::span<const std::size_t> coordinates, Budget& budget) const override {
    const std::vector<bool> needed = ancestors_of(coordinates);
    const auto count = static_cast<std::size_t>(std::count(needed.begin(), needed.end(), true));
    if (count == coordinates.size()) return network_of(coordinates);
    return prior_of_weights(part_of(shape(), coordinates),
                            summed_product(shape(), tables_of(needed), coordinates, budget), budget);
  }

  Prior conditional(std::size_t i, std::uint32_t value, std::span<const std::size_t> coordinates,
                    Budget& budget) const override {
    std::vector<std::size_t> known(coordinates.begin(), coordinates.end());
    known.push_back(i);
    std::vector<WeightTable> tables = tables_of(ancestors_of(known));
    WeightTable evidence{{i}, std::vector<Number>(shape()[i], Number(0))};
    evidence.cells[value] = Number(1);
    tables.push_back(std::move(evidence));
    return prior_of_weights(part_of(shape(), coordinates),
                            summed_product(shape(), std::move(tables), coordinates, budget), budget);
  }

 private:
  void each_row_from(std::size_t n, const Number& prefix, InputRow& row, Budget& budget,
                     const RowVisitor& visit) const {
    if (n == nodes_.size()) {
      budget.check_every();
      visit(row, prefix);
      return;
    }
    const NetworkNode& node = nodes_[n];
    const std::vector<Number>& given = node.table[index_of(shape(), row, node.parents)];
    for (std::uint32_t value = 0; value < given.size(); ++value) {
      row[node.coordinate] = value;
      if (!given[value].is_zero()) each_row_from(n + 1, prefix * given[value], row, budget, visit);
    }
  }

  // Returns per coordinate whether it is one of these or an ancestor of one. All others sum to 1.
  std::vector<bool> ancestors_of(std::span<const std::size_t> coordinates) const {
    std::vector<bool> needed(shape().size(), false);
    for (const std::size_t i : coordinates) needed[i] = true;
    for (std::size_t n = nodes_.size(); n-- > 0;) {
      if (!needed[nodes_[n].coordinate]) continue;
      for (const std::size_t parent : nodes_[n].parents) needed[parent] = true;
    }
    return needed;
  }

  std::vector<WeightTable> tables_of(const std::vector<bool>& needed) const {
    std::vector<WeightTable> tables;
    for (const NetworkNode& node : nodes_) {
      if (!needed[node.coordinate]) continue;
      WeightTable& table = tables.emplace_back(WeightTable{node.parents, {}});
      table.over.push_back(node.coordinate);
      for (const auto& row : node.table) table.cells.insert(table.cells.end(), row.begin(), row.end());
    }
    return tables;
  }

  // Returns the network of these coordinates, which contain the parents of each.
  Prior network_of(std::span<const std::size_t> coordinates) const {
    std::vector<std::size_t> place(shape().size());
    std::vector<bool> chosen(shape().size(), false);
    for (std::size_t k = 0; k < coordinates.size(); ++k) {
      place[coordinates[k]] = k;
      chosen[coordinates[k]] = true;
    }
    std::vector<NetworkNode> nodes;
    for (const NetworkNode& node : nodes_) {
      if (!chosen[node.coordinate]) continue;
      NetworkNode& moved = nodes.emplace_back(node);
      moved.coordinate = place[node.coordinate];
      for (std::size_t& parent : moved.parents) parent = place[parent];
    }
    return Prior(std::make_shared<NetworkPrior>(part_of(shape(), coordinates), std::move(nodes)));
  }

  std::vector<NetworkNode> nodes_;
  std::vector<std::size_t> node_of_;  // per coordinate
};

void require_tables(const NetworkNode& node, const DomainShape& shape) {
  if (std::set<std::size_t>(node.parents.begin(), node.parents.end()).size() != node.parents.size()) {
    throw ModelError("a node of a network has a parent twice");
  }
  std::uint64_t assignments = 1;
  for (const std::size_t parent : node.parents) {
    if (parent >= shape.size() || shape[parent] > node.table.size() / assignments) {
      throw ModelError("a node of a network has no distribution for some assignment of its parents");
    }
    assignments *= shape[parent];
  }
  if (node.table.size() != assignments) throw ModelError("a node of a network has too many distributions");
  for (const auto& row : node.table) {
    if (row.size() != shape[node.coordinate]) throw ModelError("a distribution of a network has the wrong size");
    for (const Number& probability : row) require_weight(probability);
    if (!sum_of(row).is_one()) throw ModelError("a distribution of a network does not sum to 1");
  }
}

// Sorts nodes topologically, parents before children.
std::vector<NetworkNode> in_order(std::vector<NetworkNode> nodes) {
  std::vector<NetworkNode> ordered;
  std::vector<bool> placed(nodes.size(), false);
  while (ordered.size() < nodes.size()) {
    const std::size_t before = ordered.size();
    for (NetworkNode& node : nodes) {
      const bool ready = !placed[node.coordinate] && std::all_of(node.parents.begin(), node.parents.end(),
                                                                 [&](std::size_t i) { return placed[i]; });
      if (!ready) continue;
      placed[node.coordinate] = true;
      ordered.push_back(node);
    }
    if (ordered.size() == before) throw ModelError("a coordinate of a network depends on itself through its parents");
  }
  return ordered;
}

}  // namespace

Prior Prior::network(const Domain& domain, std::vector<NetworkNode> nodes) {
  DomainShape shape = shape_of(domain);
  std::vector<bool> named(shape.size(), false);
  for (const NetworkNode& node : nodes) {
    if (node.coordinate >= shape.size() || named[node.coordinate]) {
      throw ModelError("a network needs one node for each coordinate");
    }
    named[node.coordinate] = true;
    require_tables(node, shape);
  }
  if (nodes.size() != shape.size()) throw ModelError("a network needs one node for each coordinate");
  return Prior(std::make_shared<NetworkPrior>(std::move(shape), in_order(std::move(nodes))));
}

namespace {

bool is_over(const WeightTable& table, std::size_t coordinate) {
  return std::find(table.over.begin(), table.over.end(), coordinate) != table.over.end();
}

// Returns per coordinate of `order` the stride of its value in the table's cells; 0 if the table is not over it.
std::vector<std::uint64_t> steps_of(const WeightTable& table, const DomainShape& shape,
                                    std::span<const std::size_t> order) {
  std::vector<std::uint64_t> steps;
  for (const std::size_t coordinate : order) {
    std::uint64_t step = is_over(table, coordinate) ? 1 : 0;
    for (std::size_t k = table.over.size(); step != 0 && table.over[k - 1] != coordinate; --k) {
      step *= shape[table.over[k - 1]];
    }
    steps.push_back(step);
  }
  return steps;
}

// Returns the product of the tables as one table over `order`.
std::vector<Number> product_over(const DomainShape& shape, std::span<const WeightTable> tables,
                                 std::span<const std::size_t> order, Budget& budget) {
  const DomainShape part = part_of(shape, order);
  std::vector<Number> cells(inputs_within(part, budget), Number(1));
  std::vector<std::vector<std::uint64_t>> steps;
  for (const WeightTable& table : tables) steps.push_back(steps_of(table, shape, order));
  InputRow row(order.size());
  for (Number& cell : cells) {
    budget.check_every();
    for (std::size_t t = 0; t < tables.size() && !cell.is_zero(); ++t) {
      std::uint64_t place = 0;
      for (std::size_t k = 0; k < row.size(); ++k) place += row[k] * steps[t][k];
      cell *= tables[t].cells[place];
    }
    advance(row, part);
  }
  return cells;
}

std::vector<std::size_t> joined(std::span<const WeightTable> tables) {
  std::vector<std::size_t> all;
  for (const WeightTable& table : tables) all.insert(all.end(), table.over.begin(), table.over.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

// Returns the coordinate outside `kept` whose elimination needs the smallest table.
std::optional<std::size_t> cheapest(const DomainShape& shape, std::span<const WeightTable> tables,
                                    std::span<const std::size_t> kept) {
  std::optional<std::size_t> best;
  double least = 0;
  for (const std::size_t coordinate : joined(tables)) {
    if (std::find(kept.begin(), kept.end(), coordinate) != kept.end()) continue;
    std::vector<WeightTable> touched;
    for (const WeightTable& table : tables) {
      if (is_over(table, coordinate)) touched.push_back({table.over, {}});
    }
    double size = 1;  // heuristic only: the order does not change the sum
    for (const std::size_t other : joined(touched)) size *= shape[other];
    if (!best || size < least) {
      best = coordinate;
      least = size;
    }
  }
  return best;
}

// Replaces the tables over the coordinate by their product with the coordinate summed out.
void sum_out(const DomainShape& shape, std::vector<WeightTable>& tables, std::size_t coordinate, Budget& budget) {
  const auto place = std::stable_partition(tables.begin(), tables.end(),
                                           [&](const WeightTable& table) { return !is_over(table, coordinate); });
  const std::span<const WeightTable> touched(place, tables.end());
  std::vector<std::size_t> order = joined(touched);
  order.erase(std::find(order.begin(), order.end(), coordinate));
  order.push_back(coordinate);
  const std::vector<Number> cells = product_over(shape, touched, order, budget);
  order.pop_back();
  WeightTable rest{std::move(order), {}};
  for (std::size_t begin = 0; begin < cells.size(); begin += shape[coordinate]) {
    rest.cells.push_back(sum_of(std::span(cells).subspan(begin, shape[coordinate])));
  }
  tables.erase(place, tables.end());
  tables.push_back(std::move(rest));
}

}  // namespace

std::vector<Number> summed_product(const DomainShape& shape, std::vector<WeightTable> tables,
                                   std::span<const std::size_t> kept, Budget& budget) {
  inputs_within(part_of(shape, kept), budget);
  while (const auto coordinate = cheapest(shape, tables, kept)) sum_out(shape, tables, *coordinate, budget);
  return product_over(shape, tables, kept, budget);
}

}  // namespace oddsbound::model
