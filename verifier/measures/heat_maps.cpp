#include "verifier/measures/heat_maps.h"

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <set>

#include "verifier/engine/factor_losses.h"
#include "verifier/measures/correlation.h"
#include "verifier/measures/tradeoff.h"
#include "verifier/model/channel.h"

namespace oddsbound::measures {

namespace {

constexpr std::uint64_t kMostSides = 48;
constexpr std::uint64_t kMostCells = std::uint64_t{1} << 20;

// P(y | side) as [side][y].
using Rows = std::vector<std::vector<Number>>;

// The largest loss from or to a side, with the side at the other end.
struct WorstOfSide {
  Level level;
  std::uint64_t partner = 0;
  void offer(const Level& found, std::uint64_t other) {
    if (found <= level) return;
    level = found;
    partner = other;
  }
};

std::vector<WorstOfSide> worst_of_each(const Rows& rows, Budget& budget) {
  std::vector<WorstOfSide> worst(rows.size());
  for (std::uint64_t y = 0; y < rows[0].size(); ++y) {
    budget.check();
    std::uint64_t least = 0, most = 0;
    for (std::uint64_t x = 1; x < rows.size(); ++x) {
      if (rows[x][y] < rows[least][y]) least = x;
      if (rows[x][y] > rows[most][y]) most = x;
    }
    if (rows[most][y].is_zero()) continue;
    for (std::uint64_t x = 0; x < rows.size(); ++x) {
      const Number& own = rows[x][y];
      if (!own.is_zero()) worst[x].offer(level_between(own, rows[least][y]), least);
      worst[x].offer(level_between(rows[most][y], own), most);
    }
  }
  return worst;
}

// Returns all sides, or the kMostSides between which the losses are largest, in their order.
std::vector<std::uint64_t> shown_sides(const Rows& rows, Budget& budget) {
  std::vector<std::uint64_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  if (rows.size() <= kMostSides) return order;
  const std::vector<WorstOfSide> worst = worst_of_each(rows, budget);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint64_t a, std::uint64_t b) { return worst[a].level > worst[b].level; });
  std::set<std::uint64_t> shown;
  for (const std::uint64_t x : order) {
    const std::uint64_t partner = worst[x].partner;
    const std::uint64_t more = (shown.contains(x) ? 0 : 1) + (partner == x || shown.contains(partner) ? 0 : 1);
    if (shown.size() + more > kMostSides) continue;
    shown.insert({x, partner});
  }
  return {shown.begin(), shown.end()};
}

// Returns the losses between rows of probabilities.
std::vector<std::vector<Level>> losses_between(const Rows& rows, Budget& budget) {
  PoolBuilder builder;
  for (const std::vector<Number>& row : rows) {
    for (const Number& p : row) builder.add(p);
  }
  const auto channel =
      DenseChannel::from_rows(rows.size(), numbered_labels(rows[0].size()), std::move(builder), budget);
  LossValues values;
  const FactorLosses losses(*channel, values, budget);
  std::vector<std::vector<Level>> levels(rows.size());
  for (std::uint64_t a = 0; a < rows.size(); ++a) {
    for (std::uint64_t b = 0; b < rows.size(); ++b) {
      const std::uint32_t loss = losses.loss(a, b);
      levels[a].push_back(loss == LossValues::kInfinite ? Level::infinite()
                                                        : Level::of_exponential(values.value(loss)));
    }
  }
  return levels;
}

// rows: of all sides, of which the worst are kept. label(x): the label of side x.
LossMatrix losses_of_rows(Rows rows, const std::function<Label(std::uint64_t)>& label, Budget& budget) {
  const std::vector<std::uint64_t> shown = shown_sides(rows, budget);
  LossMatrix result;
  if (shown.size() < rows.size()) result.among = rows.size();
  Rows kept;
  for (const std::uint64_t x : shown) {
    result.sides.push_back(label(x));
    kept.push_back(std::move(rows[x]));
  }
  result.loss = losses_between(kept, budget);
  return result;
}

// The channel from the value of one coordinate to the output, with the other coordinates drawn from the prior
// given that value.
LossMatrix losses_of_values(MeasuredModel& subject, std::size_t coordinate) {
  ValueRows given = rows_of_values(subject, coordinate);
  const ValueNames& names = subject.domain().coordinate(coordinate).values;
  return losses_of_rows(
      std::move(given.rows), [&](std::uint64_t v) { return names[given.values[v]]; }, subject.budget());
}

LossMatrix losses_by_factors(MeasuredModel& subject) {
  const PairLossSolver losses(subject);
  const std::uint64_t inputs = subject.domain().inputs();
  LossMatrix result;
  for (std::uint64_t a = 0; a < inputs; ++a) {
    result.sides.emplace_back(subject.domain().tuple(a));
    result.loss.emplace_back();
    for (std::uint64_t b = 0; b < inputs; ++b) {
      subject.budget().check();
      result.loss[a].push_back(losses.loss(a, b));
    }
  }
  return result;
}

LossMatrix losses_of_inputs(MeasuredModel& subject) {
  return losses_of_rows(
      rows_of(subject.channel(), subject.budget()), [&](std::uint64_t x) { return subject.domain().tuple(x); },
      subject.budget());
}

std::vector<std::vector<Number>> correlations(MeasuredModel& subject) {
  const Domain& domain = subject.domain();
  std::vector<std::vector<Number>> result(domain.size(), std::vector<Number>(domain.size(), Number(0)));
  for (std::size_t i = 0; i < domain.size(); ++i) {
    for (std::size_t j = 0; j < domain.size(); ++j) {
      if (i == j) continue;
      const std::array<std::size_t, 2> both{i, j};
      const Prior marginal = subject.prior().marginal(both, subject.budget());
      result[i][j] = correlation(domain.restricted_to(both), marginal, 0, subject.budget());
    }
  }
  return result;
}

}  // namespace

bool small_enough_to_draw(const Channel& channel, const Limits& limits) {
  const std::uint64_t most = std::min(kMostCells, limits.max_cells);
  return channel.outputs() <= most && channel.input_numbers() <= most / channel.outputs();
}

std::optional<LossMatrix> input_losses(MeasuredModel& subject) {
  if (subject.channel().input_numbers() > kMostSides) return std::nullopt;
  return subject.channel().factors().empty() ? losses_of_inputs(subject) : losses_by_factors(subject);
}

HeatMaps measure_heat_maps(MeasuredModel& subject) {
  HeatMaps pairs;
  const bool drawn = small_enough_to_draw(subject.channel(), subject.budget().limits());
  if (drawn) {
    pairs.inputs = input_losses(subject);
    if (!pairs.inputs) pairs.inputs = losses_of_inputs(subject);
  }
  if (!subject.model().prior) return pairs;
  for (std::size_t i = 0; i < subject.domain().size(); ++i) {
    pairs.values.emplace_back();
    if (drawn) pairs.values.back() = losses_of_values(subject, i);
  }
  if (subject.domain().size() <= kMostSides) pairs.correlation = correlations(subject);
  return pairs;
}

}  // namespace oddsbound::measures
