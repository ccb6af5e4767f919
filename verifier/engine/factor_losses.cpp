#include "verifier/engine/factor_losses.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/errors.h"
#include "verifier/engine/measured_model.h"

namespace oddsbound::engine {

namespace {

// The largest quotient of two rows. Doubles discard what is certainly smaller; exact comparisons decide the rest.
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

// Returns the product of the losses, which are sorted: equal ones become one power.
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
  std::vector<std::span<const std::uint32_t>> row_of;  // per class
  for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
    const auto row = std::span(rows).subspan(x * outputs, outputs);
    const auto [place, added] =
        classes.try_emplace({row.begin(), row.end()}, static_cast<std::uint32_t>(row_of.size()));
    if (added) row_of.push_back(row);
    class_of_.push_back(place->second);
    budget.check_every();
  }
  classes_ = row_of.size();
  budget.require_cells(classes_, classes_);
  loss_.resize(classes_ * classes_, LossValues::kInfinite);
  for (std::uint64_t a = 0; a < classes_; ++a) {
    for (std::uint64_t b = 0; b < classes_; ++b) {
      budget.check();
      const RowQuotient best = largest_quotient(columns->pool(), row_of[a], row_of[b]);
      if (best.infinite) continue;
      loss_[a * classes_ + b] = values.intern(columns->pool().value(best.high) / columns->pool().value(best.low));
    }
  }
  most_from_.assign(classes_, 1);
  largest_ = LossValues::kNone;
  for (std::uint64_t a = 0; a < classes_; ++a) {
    for (std::uint64_t b = 0; b < classes_; ++b) {
      const std::uint32_t loss = loss_[a * classes_ + b];
      if (loss == LossValues::kInfinite) {
        most_from_[a] = std::numeric_limits<double>::infinity();
        largest_ = loss;
        continue;
      }
      most_from_[a] = std::max(most_from_[a], values.approx(loss));
      if (largest_ != LossValues::kInfinite && values.value(loss) > values.value(largest_)) largest_ = loss;
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

PairLossSolver::PairLossSolver(MeasuredModel& subject) : PairLossSolver(subject, {}) {}

PairLossSolver::PairLossSolver(MeasuredModel& subject, std::vector<InputRow> inputs)
    : subject_(subject), inputs_(std::move(inputs)) {
  const std::span<const Factor> factors = subject.channel().factors();
  const std::uint64_t count = inputs_.empty() ? subject.domain().inputs() : inputs_.size();
  subject.budget().require_memory(factors.size() * count * sizeof(std::uint32_t));
  std::map<const Channel*, std::shared_ptr<const FactorLosses>> shared;
  for (const Factor& factor : factors) {
    auto& losses = shared[factor.channel.get()];
    if (!losses) losses = std::make_shared<const FactorLosses>(*factor.channel, values_, subject.budget());
    losses_.push_back(losses);
    const Projection project(subject.domain(), factor.coordinates);
    std::vector<std::uint32_t>& projection = projections_.emplace_back();
    projection.reserve(count);
    for (std::uint64_t x = 0; x < count; ++x) {
      subject.budget().check_every();
      const std::uint64_t seen = inputs_.empty() ? project(x) : project(inputs_[x]);
      projection.push_back(static_cast<std::uint32_t>(seen));
    }
  }
}

// The largest product of losses among the pairs offered so far; the first of equal ones.
class PairLossSolver::Largest {
 public:
  explicit Largest(const PairLossSolver& pairs) : pairs_(pairs) {}

  void offer(std::uint64_t from, std::uint64_t to) {
    if (infinite_) return;
    double approx = 1;
    losses_.clear();
    for (std::size_t f = 0; f < pairs_.losses_.size(); ++f) {
      const std::uint32_t loss = pairs_.loss_of(f, from, to);
      if (loss == LossValues::kNone) continue;
      losses_.push_back(loss);
      approx *= pairs_.values_.approx(loss);
      if (loss == LossValues::kInfinite) {
        infinite_ = true;
        from_ = from;
        to_ = to;
        return;
      }
    }
    if (is_less(approx)) return;
    std::sort(losses_.begin(), losses_.end());
    const auto [place, added] = products_.try_emplace(losses_, Number(1));
    if (added) place->second = product_of(losses_, pairs_.values_);
    if (found_ && &place->second == value_ && from == from_ && to < to_) to_ = to;
    if (found_ && (!added || place->second <= *value_)) return;
    found_ = true;
    value_ = &place->second;
    approx_ = approx;
    from_ = from;
    to_ = to;
  }

  /// Every loss is at least 1, so a finite product of approximations has a relative error of at most 2^-48 per
  /// factor; the slack covers two such products.
  bool is_less(double approx) const {
    const double slack = static_cast<double>(pairs_.losses_.size()) * 0x1p-47;
    return found_ && std::isfinite(approx_) && approx < approx_ * (1 - slack);
  }
  bool is_infinite() const { return infinite_; }
  bool reaches(const Number& most) const { return found_ && *value_ == most; }

  InputLevel finish() {
    InputPair pair;
    for (std::size_t f = 0; f < pairs_.losses_.size(); ++f) {
      pair.output.push_back(pairs_.losses_[f]->output(pairs_.projections_[f][from_], pairs_.projections_[f][to_],
                                                      pairs_.subject_.budget()));
    }
    pair.from = pairs_.input(from_);
    pair.to = pairs_.input(to_);
    return {infinite_ ? Level::infinite() : Level::of_exponential(*value_), std::move(pair)};
  }

 private:
  const PairLossSolver& pairs_;
  // Pairs with the same multiset of losses have the same product, which is computed once.
  std::map<std::vector<std::uint32_t>, Number> products_;
  std::vector<std::uint32_t> losses_;
  bool infinite_ = false;
  std::uint64_t from_ = 0;  // indices of inputs
  std::uint64_t to_ = 0;
  const Number* value_ = nullptr;
  double approx_ = 0;
  bool found_ = false;
};

InputLevel PairLossSolver::largest(const std::function<void(const Visit&)>& for_each_pair) {
  Largest largest(*this);
  for_each_pair([&](std::uint64_t from, std::uint64_t to) {
    subject_.budget().check_every();
    largest.offer(from, to);
  });
  return largest.finish();
}

// Branch and bound over the inputs x', as a prefix tree of their classes in the factors. A branch is pruned if the
// product of its losses so far and the other factors' largest losses is below the largest loss found.
class PairLossSolver::Tree {
 public:
  explicit Tree(const PairLossSolver& pairs, std::size_t places) : pairs_(pairs), order_(places) {
    const std::size_t factors = pairs.losses_.size();
    for (std::size_t p = 0; p < places; ++p) order_[p] = p;
    std::sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      for (std::size_t f = 0; f < factors; ++f) {
        const std::uint32_t left = pairs.class_at(f, a), right = pairs.class_at(f, b);
        if (left != right) return left < right;
      }
      return a < b;
    });
    // ends_[f][k]: end of the run of inputs from position k on with equal classes in factors 0..f. Filled from the
    // last position.
    ends_.assign(factors, std::vector<std::uint32_t>(places));
    for (std::size_t k = places; k-- > 0;) {
      bool same = k + 1 < places;
      for (std::size_t f = 0; f < factors; ++f) {
        same = same && pairs.class_at(f, order_[k]) == pairs.class_at(f, order_[k + 1]);
        ends_[f][k] = same ? ends_[f][k + 1] : static_cast<std::uint32_t>(k + 1);
      }
    }
  }

  /// Offers all pairs (from, x') that may be as large as the largest found.
  void offer_from(std::uint64_t from, Largest& largest) {
    const std::size_t factors = pairs_.losses_.size();
    most_.assign(factors + 1, 1);
    for (std::size_t f = factors; f-- > 0;) most_[f] = most_[f + 1] * pairs_.losses_[f]->most_from(class_of(f, from));
    before_.assign(factors + 1, 1);
    visit(from, 0, 0, order_.size(), largest);
  }

 private:
  std::uint32_t class_of(std::size_t factor, std::uint64_t place) const { return pairs_.class_at(factor, place); }

  void visit(std::uint64_t from, std::size_t factor, std::size_t begin, std::size_t end, Largest& largest) {
    pairs_.subject_.budget().check_every();
    if (largest.is_infinite() || largest.is_less(before_[factor] * most_[factor])) return;
    if (factor == pairs_.losses_.size()) {
      largest.offer(from, order_[begin]);  // first of the inputs with these classes
      return;
    }
    for (std::size_t k = begin; k < end; k = ends_[factor][k]) {
      before_[factor + 1] = before_[factor] * pairs_.approx_of(factor, from, order_[k]);
      visit(from, factor + 1, k, ends_[factor][k], largest);
    }
  }

  const PairLossSolver& pairs_;
  std::vector<std::size_t> order_;                // inputs, by their classes in the factors
  std::vector<std::vector<std::uint32_t>> ends_;  // [factor][position]
  std::vector<double> most_, before_;
};

InputLevel PairLossSolver::largest_of_all() {
  const std::size_t places = inputs_.empty() ? subject_.domain().inputs() : inputs_.size();
  Largest largest(*this);
  Tree tree(*this, places);
  Number most(1);
  bool finite = true;
  for (const auto& losses : losses_) {
    finite = finite && losses->largest() != LossValues::kInfinite;
    if (finite) most *= values_.value(losses->largest());
  }
  for (std::uint64_t from = 0; from < places; ++from) {
    tree.offer_from(from, largest);
    if (largest.is_infinite() || (finite && largest.reaches(most))) break;
  }
  return largest.finish();
}

double PairLossSolver::approx_of(std::size_t factor, std::uint64_t from, std::uint64_t to) const {
  const std::uint32_t loss = loss_of(factor, from, to);
  return loss == LossValues::kInfinite ? std::numeric_limits<double>::infinity() : values_.approx(loss);
}

Level PairLossSolver::loss(std::uint64_t from, std::uint64_t to) const {
  std::vector<std::uint32_t> losses;
  for (std::size_t f = 0; f < losses_.size(); ++f) {
    losses.push_back(loss_of(f, from, to));
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

}  // namespace oddsbound::engine
