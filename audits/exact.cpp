#include "audits/exact.h"

#include <algorithm>

#include "verifier/model/dense_channel.h"
#include "verifier/ratios/factor_losses.h"

namespace oddsbound::audits {

namespace {

using Rows = std::vector<std::vector<Number>>;

constexpr std::uint64_t kMostCells = std::uint64_t{1} << 18;
constexpr std::uint64_t kMostComparisons = std::uint64_t{1} << 22;

// Cells of the channel and comparisons of entries are few.
bool is_small(const Question& question, const Channel& channel) {
  const std::uint64_t outputs = channel.outputs();
  const std::uint64_t sides = question.sides.size();
  return outputs <= kMostCells && channel.input_numbers() <= kMostCells / outputs &&
         sides <= kMostComparisons / outputs / std::max<std::uint64_t>(sides, 1);
}

// P(y given side), for every side.
Rows rows_of_sides(const Question& question, const Channel& channel, Budget& budget) {
  const Rows entries = rows_of(channel, budget);
  Rows rows;
  for (const Side& side : question.sides) {
    std::vector<Number>& row = rows.emplace_back();
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      std::vector<WeightedTerm> terms;
      for (std::size_t i = 0; i < side.inputs.size(); ++i) {
        budget.tick();
        terms.push_back({side.probabilities[i], entries[side.inputs[i]][y]});
      }
      row.push_back(weighted_sum(terms));
    }
  }
  return rows;
}

Level largest_level(const Question& question, const Rows& rows, Budget& budget) {
  PoolBuilder builder;
  for (const auto& row : rows) {
    for (const Number& p : row) builder.add(p);
  }
  const auto sides = DenseChannel::from_rows(rows.size(), numbered_labels(rows[0].size()), std::move(builder), budget);
  LossValues values;
  const FactorLosses losses(*sides, values, budget);
  Level largest;
  for (const auto& [from, to] : question.pairs) {
    const std::uint32_t loss = losses.loss(from, to);
    largest = std::max(largest,
                       loss == LossValues::kInfinite ? Level::infinite() : Level::of_exponential(values.value(loss)));
  }
  return largest;
}

Number largest_delta(const Question& question, const Rows& rows, Budget& budget) {
  Number largest(0);
  if (question.at->is_infinite()) return largest;
  for (const auto& [from, to] : question.pairs) {
    std::vector<WeightedTerm> excess;
    for (std::size_t y = 0; y < rows[from].size(); ++y) {
      budget.tick();
      const Number difference = rows[from][y] - question.at->exponential() * rows[to][y];
      if (difference.sign() > 0) excess.push_back({Number(1), difference});
    }
    largest = std::max(largest, weighted_sum(excess));
  }
  return largest;
}

}  // namespace

ExactAnswer exact_answer(const Question& question, const Channel& channel, Budget& budget) {
  if (question.sides.empty() || !is_small(question, channel)) return {};
  const Rows rows = rows_of_sides(question, channel, budget);
  if (question.bounds_delta()) return {std::nullopt, largest_delta(question, rows, budget)};
  return {largest_level(question, rows, budget), std::nullopt};
}

}  // namespace oddsbound::audits
