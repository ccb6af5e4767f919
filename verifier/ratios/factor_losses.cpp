#include "verifier/ratios/factor_losses.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/errors.h"
#include "verifier/ratios/rows.h"

namespace oddsbound::ratios {

namespace {

// The largest quotient of two rows: exact comparisons, by approximation where that is certain.
struct RowQuotient {
  std::uint32_t high = 0;
  std::uint32_t low = 0;
  std::uint64_t output = 0;
  bool infinite = false;
  bool found = false;
};

RowQuotient largest_quotient(const ValuePool& pool, std::span<const std::uint32_t> from,
                             std::span<const std::uint32_t> to) {
  RowQuotient best;
  for (std::uint64_t y = 0; y < from.size(); ++y) {
    const std::uint32_t high = from[y];
    const std::uint32_t low = to[y];
    if (pool.has_zero() && high == 0) continue;
    if (pool.has_zero() && low == 0) return {high, low, y, true, true};
    if (best.found) {
      if (high <= best.high && low >= best.low) continue;
      const double left = pool.approx(high) * pool.approx(best.low);
      const double right = pool.approx(best.high) * pool.approx(low);
      if (pool.approximations_usable() && left < right * (1 - 0x1p-46)) continue;
      if (compare_products(pool.value(high), pool.value(best.low), pool.value(best.high), pool.value(low)) <= 0) {
        continue;
      }
    }
    best = {high, low, y, false, true};
  }
  return best;
}

// The product of values in order of their index.
Number product_of(std::span<const std::uint32_t> losses, const LossValues& values) {
  Number product(1);
  for (std::size_t i = 0; i < losses.size();) {
    std::size_t end = i;
    while (end < losses.size() && losses[end] == losses[i]) ++end;
    product *= values.value(losses[i]).pow(static_cast<std::int64_t>(end - i));
    i = end;
  }
  return product;
}

}  // namespace

std::uint32_t LossValues::intern(const Number& value) {
  const auto [place, added] = index_.try_emplace(value, static_cast<std::uint32_t>(values_.size()));
  if (added) {
    values_.push_back(value);
    approx_.push_back(value.approx());
  }
  return place->second;
}

FactorLosses::FactorLosses(const Channel& channel, LossValues& values, Budget& budget) : channel_(channel) {
  const auto columns = channel.columns(budget);
  const std::vector<std::uint32_t> rows = rank_rows(*columns, budget);
  const std::uint64_t outputs = columns->outputs();
  std::map<std::vector<std::uint32_t>, std::uint32_t> classes;
  std::vector<std::span<const std::uint32_t>> row_of;  // of each class
  for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
    const auto row = std::span(rows).subspan(x * outputs, outputs);
    const auto [place, added] =
        classes.try_emplace({row.begin(), row.end()}, static_cast<std::uint32_t>(row_of.size()));
    if (added) row_of.push_back(row);
    class_of_.push_back(place->second);
    budget.tick();
  }
  classes_ = row_of.size();
  budget.require_cells(classes_, classes_);
  loss_.resize(classes_ * classes_, LossValues::kInfinite);
  for (std::uint64_t a = 0; a < classes_; ++a) {
    for (std::uint64_t b = 0; b < classes_; ++b) {
      budget.look();
      const RowQuotient best = largest_quotient(columns->pool(), row_of[a], row_of[b]);
      if (best.infinite) continue;
      loss_[a * classes_ + b] = values.intern(columns->pool().value(best.high) / columns->pool().value(best.low));
    }
  }
}

std::uint64_t FactorLosses::output(std::uint64_t from, std::uint64_t to, Budget& budget) const {
  const auto columns = channel_.columns(budget);
  const std::vector<std::uint32_t> rows = rank_rows(*columns, budget);
  const std::uint64_t outputs = columns->outputs();
  return largest_quotient(columns->pool(), std::span(rows).subspan(from * outputs, outputs),
                          std::span(rows).subspan(to * outputs, outputs))
      .output;
}

PairLosses::PairLosses(MeasuredModel& subject) : PairLosses(subject, {}) {}

PairLosses::PairLosses(MeasuredModel& subject, std::vector<std::uint64_t> inputs)
    : subject_(subject), inputs_(std::move(inputs)) {
  std::map<const Channel*, std::shared_ptr<const FactorLosses>> shared;
  for (const Factor& factor : subject.channel().factors()) {
    auto& losses = shared[factor.channel.get()];
    if (!losses) losses = std::make_shared<const FactorLosses>(*factor.channel, values_, subject.budget());
    losses_.push_back(losses);
    const Projection project(subject.domain(), factor.coordinates);
    std::vector<std::uint32_t> projection(inputs_.empty() ? subject.domain().inputs() : inputs_.size());
    for (std::uint64_t x = 0; x < projection.size(); ++x) projection[x] = static_cast<std::uint32_t>(project(input(x)));
    projections_.push_back(std::move(projection));
  }
}

InputLevel PairLosses::largest(const std::function<void(const Visit&)>& for_each_pair) {
  // Pairs with the same losses, in whatever order of the factors, have the same product: it is formed once.
  std::map<std::vector<std::uint32_t>, Number> products;
  std::vector<std::uint32_t> losses;
  InputLevel best;
  Number best_value(0);
  double best_approx = 0;
  bool found = false;
  for_each_pair([&](std::uint64_t from, std::uint64_t to) {
    subject_.budget().tick();
    if (best.level.is_infinite()) return;
    double approx = 1;
    losses.clear();
    for (std::size_t f = 0; f < losses_.size(); ++f) {
      const std::uint32_t loss = losses_[f]->loss(projections_[f][from], projections_[f][to]);
      if (loss == LossValues::kNone) continue;
      losses.push_back(loss);
      approx *= values_.approx(loss);
      if (loss == LossValues::kInfinite) {
        best = {Level::infinite(), {}, from, to};
        return;
      }
    }
    // Every loss is at least 1, so a finite product of approximations is within 2^-48 of its value per factor.
    const double slack = static_cast<double>(losses_.size()) * 0x1p-47;
    if (found && std::isfinite(best_approx) && approx < best_approx * (1 - slack)) return;
    std::sort(losses.begin(), losses.end());
    const auto [place, added] = products.try_emplace(losses, Number(1));
    if (added) {
      place->second = product_of(losses, values_);
    } else if (found) {
      return;
    }
    if (found && place->second <= best_value) return;
    found = true;
    best_value = place->second;
    best_approx = approx;
    best.from = from;
    best.to = to;
  });
  if (!best.level.is_infinite()) best.level = Level::of_exponential(best_value);
  for (std::size_t f = 0; f < losses_.size(); ++f) {
    best.output.push_back(losses_[f]->output(projections_[f][best.from], projections_[f][best.to], subject_.budget()));
  }
  best.from = input(best.from);
  best.to = input(best.to);
  return best;
}

Level PairLosses::loss(std::uint64_t from, std::uint64_t to) const {
  std::vector<std::uint32_t> losses;
  for (std::size_t f = 0; f < losses_.size(); ++f) {
    losses.push_back(losses_[f]->loss(projections_[f][from], projections_[f][to]));
    if (losses.back() == LossValues::kInfinite) return Level::infinite();
  }
  std::sort(losses.begin(), losses.end());
  return Level::of_exponential(product_of(losses, values_));
}

bool pairs_are_cheaper(const MeasuredModel& subject) {
  if (subject.channel().factors().empty()) return false;
  if (!subject.can_enumerate()) return true;
  const double inputs = static_cast<double>(subject.domain().input_numbers());
  double by_pairs = inputs * inputs * static_cast<double>(subject.channel().factors().size());
  for (const Factor& factor : subject.channel().factors()) {
    const double own = static_cast<double>(factor.channel->inputs());
    by_pairs += own * own * static_cast<double>(factor.channel->outputs());
  }
  return by_pairs < inputs * static_cast<double>(subject.channel().outputs());
}

}  // namespace oddsbound::ratios
