#include "verifier/model/priors/elimination.h"

#include <algorithm>
#include <cassert>
#include <optional>

#include "base/errors.h"
#include "verifier/model/priors/kind.h"

namespace oddsbound::model {

namespace {

bool is_over(const WeightTable& table, std::size_t coordinate) {
  return std::find(table.over.begin(), table.over.end(), coordinate) != table.over.end();
}

// How far a table's cells are apart where a coordinate of another order is one further; 0 if it is over others.
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

// The product of the tables as one over `order`.
std::vector<Number> product_over(const DomainShape& shape, std::span<const WeightTable> tables,
                                 std::span<const std::size_t> order, Budget& budget) {
  const DomainShape part = part_of(shape, order);
  std::vector<Number> cells(inputs_within(part, budget), Number(1));
  std::vector<std::vector<std::uint64_t>> steps;
  for (const WeightTable& table : tables) steps.push_back(steps_of(table, shape, order));
  InputRow row(order.size());
  for (Number& cell : cells) {
    budget.tick();
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

// The coordinate among those not kept whose sum takes the smallest table.
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
    double size = 1;  // a guess of what is cheap: the order does not change the sum
    for (const std::size_t other : joined(touched)) size *= shape[other];
    if (!best || size < least) {
      best = coordinate;
      least = size;
    }
  }
  return best;
}

// In place of the tables that know the coordinate, one that has it summed out.
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
