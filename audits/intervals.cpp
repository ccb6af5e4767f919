#include "audits/intervals.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "audits/confidence.h"
#include "base/errors.h"
#include "verifier/exact/rounding.h"

namespace oddsbound::audits {

namespace {

using Row = std::vector<Interval>;

constexpr std::uint64_t kMostWork = 100'000'000;

// Per input and output.
std::vector<Row> intervals_of(std::span<const Tally> stages, double each, Budget& budget) {
  std::vector<Row> rows(stages[0].rows(), Row(stages[0].outputs()));
  for (const Tally& stage : stages) {
    for (std::uint64_t x = 0; x < stage.rows(); ++x) {
      budget.look();
      const std::uint64_t runs = stage.total(x);
      if (runs == 0) continue;
      for (std::uint64_t y = 0; y < stage.outputs(); ++y) {
        const Interval found = chernoff_interval(runs, stage.at(x, y), each);
        rows[x][y] = {std::max(rows[x][y].low, found.low), std::min(rows[x][y].high, found.high)};
      }
    }
  }
  return rows;
}

// Of a mixture of inputs; weights are rounded to the safe side.
Row mixed(const Side& side, const std::vector<Row>& rows) {
  assert(side.inputs.size() == side.probabilities.size());
  if (side.inputs.size() == 1) return rows[side.inputs[0]];
  Row result(rows[0].size(), Interval{0, 0});
  constexpr double kRoom = 1e-12;  // far more than the sum of as many products may be off
  for (std::size_t i = 0; i < side.inputs.size(); ++i) {
    const double low = exact::rounded_below(side.probabilities[i]);
    const double high = exact::rounded_above(side.probabilities[i]);
    for (std::size_t y = 0; y < result.size(); ++y) {
      result[y].low += low * rows[side.inputs[i]][y].low;
      result[y].high += high * rows[side.inputs[i]][y].high;
    }
  }
  for (Interval& interval : result) interval = {interval.low * (1 - kRoom), std::min(1.0, interval.high * (1 + kRoom))};
  return result;
}

double loss_between(double above, double below) {
  if (above <= 0) return 0;
  return below <= 0 ? std::numeric_limits<double>::infinity() : std::log(above / below);
}

void widen(LevelBounds& bounds) {
  bounds.low = std::max(0.0, bounds.low * (1 - 1e-14) - 1e-14);
  bounds.high = bounds.high * (1 + 1e-14) + 1e-14;
}

// The lower bound's two probabilities again, by the narrower limits of Clopper and Pearson.
double narrowed(const Question& question, const LevelBounds& bounds, const Tally& stage, double each) {
  const Side& from = question.sides[bounds.from];
  const Side& to = question.sides[bounds.to];
  if (from.inputs.size() != 1 || to.inputs.size() != 1) return bounds.low;
  const std::uint64_t a = from.inputs[0], b = to.inputs[0];
  return std::max(bounds.low, loss_between(lower_limit(stage.total(a), stage.at(a, bounds.output), each),
                                           upper_limit(stage.total(b), stage.at(b, bounds.output), each)) *
                                  (1 - 1e-14));
}

LevelBounds bounds_of(const Question& question, const std::vector<Row>& rows, Budget& budget) {
  std::vector<Row> sides;
  for (const Side& side : question.sides) sides.push_back(mixed(side, rows));
  // A factor beyond the range of doubles may be rounded down for the upper bound, and makes nothing of the lower one.
  const double factor = question.bounds_delta() ? question.at->exponential().approx() : 0;
  const double finite = std::min(factor, std::numeric_limits<double>::max());
  LevelBounds bounds;
  for (const auto& [from, to] : question.pairs) {
    budget.tick();
    const Row& a = sides[from];
    const Row& b = sides[to];
    double low = 0, high = 0;
    for (std::size_t y = 0; y < a.size(); ++y) {
      if (question.bounds_delta()) {
        if (b[y].high > 0) low += std::max(0.0, a[y].low - factor * b[y].high);
        if (b[y].high <= 0) low += a[y].low;
        high += std::max(0.0, a[y].high - finite * b[y].low);
        continue;
      }
      high = std::max(high, loss_between(a[y].high, b[y].low));
      const double here = loss_between(a[y].low, b[y].high);
      if (here > bounds.low) bounds = {here, bounds.high, from, to, y};
    }
    bounds.high = std::max(bounds.high, high);
    if (question.bounds_delta() && low > bounds.low) bounds = {low, bounds.high, from, to, 0};
  }
  widen(bounds);
  if (question.bounds_delta()) bounds.high = std::min(1.0, bounds.high);
  return bounds;
}

}  // namespace

std::vector<LevelBounds> bounds_from_intervals(std::span<const Question> questions, std::span<const Tally> stages,
                                               double alpha, Budget& budget) {
  std::uint64_t work = 0;
  for (const Question& question : questions) work += question.pairs.size() * stages[0].outputs();
  if (work > kMostWork) throw LimitError("more than 10^8 pairs and outputs to compare");
  // Every end of every interval may fail.
  const double each = alpha / (2 * static_cast<double>(stages.size() * stages[0].rows() * stages[0].outputs()));
  const std::vector<Row> rows = intervals_of(stages, each, budget);
  std::vector<LevelBounds> bounds;
  for (const Question& question : questions) {
    LevelBounds& found = bounds.emplace_back(bounds_of(question, rows, budget));
    if (stages.size() == 1 && found.low > 0 && !question.bounds_delta()) {
      found.low = narrowed(question, found, stages[0], each);
    }
  }
  return bounds;
}

}  // namespace oddsbound::audits
