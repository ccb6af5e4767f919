#include "mechanisms/estimator.h"

#include <map>

#include "base/errors.h"
#include "verifier/exact/linear.h"

namespace oddsbound::mechanisms {

namespace {

class EventEstimator final : public ShareEstimator {
 public:
  using Event = std::function<bool(std::uint64_t, std::span<const std::uint64_t>)>;
  EventEstimator(const Domain& domain, const Number& own, const Number& other, Event event)
      : ShareEstimator(domain),
        hit_((Number(1) - other) / (own - other)),
        miss_(-other / (own - other)),
        event_(std::move(event)) {}
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    return event_(j, output) ? hit_ : miss_;
  }

 private:
  Number hit_, miss_;
  Event event_;
};

class ProductEstimator final : public ShareEstimator {
 public:
  ProductEstimator(const Domain& domain, std::vector<EstimatorPart> parts)
      : ShareEstimator(domain), parts_(std::move(parts)) {
    for (const EstimatorPart& part : parts_) projections_.emplace_back(domain, part.coordinates);
  }
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    Number result(1);
    for (std::size_t p = 0; p < parts_.size(); ++p) {
      result *= parts_[p].estimator->weight(projections_[p](j), output.first(parts_[p].words));
      output = output.subspan(parts_[p].words);
    }
    return result;
  }

 private:
  std::vector<EstimatorPart> parts_;
  std::vector<Projection> projections_;
};

class TableEstimator final : public ShareEstimator {
 public:
  TableEstimator(const Domain& domain, const Channel& channel, std::vector<std::vector<Number>> weights)
      : ShareEstimator(domain), weights_(std::move(weights)) {
    for (const Factor& factor : channel.factors()) sizes_.push_back(factor.channel->outputs());
  }
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    std::uint64_t y = output[0];
    for (std::size_t f = 1; f < output.size(); ++f) y = y * sizes_[f] + output[f];
    return weights_[j][y];
  }

 private:
  std::vector<std::vector<Number>> weights_;  // [target][output]
  std::vector<std::uint64_t> sizes_;
};

// Solves left * result = right by elimination; false if `left` is singular.
bool solve(Matrix& left, Matrix& right, Budget& budget) {
  const std::size_t n = left.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    while (pivot < n && left[pivot][column].is_zero()) ++pivot;
    if (pivot == n) return false;
    std::swap(left[pivot], left[column]);
    std::swap(right[pivot], right[column]);
    const Number scale = Number(1) / left[column][column];
    for (std::size_t row = 0; row < n; ++row) {
      if (row == column || left[row][column].is_zero()) continue;
      const Number factor = left[row][column] * scale;
      for (std::size_t c = column; c < n; ++c) left[row][c] -= factor * left[column][c];
      for (std::size_t c = 0; c < right[row].size(); ++c) right[row][c] -= factor * right[column][c];
      budget.look();
    }
  }
  for (std::size_t row = 0; row < n; ++row) {
    const Number scale = Number(1) / left[row][row];
    for (Number& value : right[row]) value *= scale;
  }
  return true;
}

Matrix identity(std::size_t n) {
  Matrix result(n, std::vector<Number>(n, Number(0)));
  for (std::size_t i = 0; i < n; ++i) result[i][i] = Number(1);
  return result;
}

}  // namespace

EstimatorPtr event_estimator(const Domain& domain, const Number& own, const Number& other,
                             std::function<bool(std::uint64_t, std::span<const std::uint64_t>)> event) {
  if (own == other || own.has_symbols() || other.has_symbols()) return nullptr;
  return std::make_shared<const EventEstimator>(domain, own, other, std::move(event));
}

EstimatorPtr product_estimator(const Domain& domain, std::vector<EstimatorPart> parts) {
  return std::make_shared<const ProductEstimator>(domain, std::move(parts));
}

EstimatorPtr least_squares_estimator(const Domain& domain, const Channel& channel, Budget& budget) {
  constexpr std::uint64_t kMostInputs = 256;
  if (channel.input_numbers() > kMostInputs) {
    throw LimitError("an estimator by elimination is for at most " + std::to_string(kMostInputs) + " inputs");
  }
  if (channel.outputs() < channel.inputs()) return nullptr;
  Matrix rows = rows_of(channel, budget);
  Matrix weights = identity(rows.size());
  if (rows.size() == rows[0].size()) {
    // P W = 1 for W[output][target].
    if (!solve(rows, weights, budget)) return nullptr;
    return std::make_shared<const TableEstimator>(domain, channel, transposed(weights));
  }
  // W = (P D^-1 P^T)^-1 P D^-1 with D the distribution of the outputs under uniform inputs (up to a factor).
  Matrix scaled = rows;
  for (std::size_t y = 0; y < rows[0].size(); ++y) {
    Number total(0);
    for (const auto& row : rows) total += row[y];
    for (auto& row : scaled) {
      if (!total.is_zero()) row[y] /= total;
    }
  }
  Matrix gram(rows.size(), std::vector<Number>(rows.size()));
  std::vector<WeightedTerm> terms;
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      terms.clear();
      for (std::size_t y = 0; y < rows[0].size(); ++y) terms.push_back({rows[a][y], scaled[b][y]});
      gram[a][b] = gram[b][a] = weighted_sum(terms);
      budget.look();
    }
  }
  if (!solve(gram, scaled, budget)) return nullptr;
  return std::make_shared<const TableEstimator>(domain, channel, std::move(scaled));
}

bool is_unbiased(const Estimator& estimator, const Channel& channel, Budget& budget, std::string& where) {
  const Matrix rows = rows_of(channel, budget);
  std::vector<WeightedTerm> terms;
  for (std::uint64_t j = 0; j < estimator.targets(); ++j) {
    std::vector<Number> weights;
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) weights.push_back(estimator.weight(j, channel.split(y)));
    for (std::uint64_t x = 0; x < rows.size(); ++x) {
      terms.clear();
      for (std::uint64_t y = 0; y < weights.size(); ++y) {
        if (!rows[x][y].is_zero()) terms.push_back({rows[x][y], weights[y]});
      }
      const Number expected = weighted_sum(terms);
      budget.look();
      if (expected == estimator.truth(j, x)) continue;
      where = "target " + estimator.target(j) + " at input " + std::to_string(x) + ": the expected weight is " +
              expected.to_string() + ", not " + estimator.truth(j, x).to_string();
      return false;
    }
  }
  return true;
}

Number mean_squared_error(const Estimator& estimator, const Channel& channel, const Prior& prior, const Number& n,
                          Budget& budget) {
  budget.require_cells(channel.inputs(), channel.outputs());
  const std::vector<Number>& weights = prior.dense(budget).weights;
  std::vector<Number> output_weight;  // times the prior's total
  std::vector<WeightedTerm> terms;
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    terms.clear();
    for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
      budget.tick();
      const Number entry = channel.entry(x, y);
      if (!entry.is_zero() && !weights[x].is_zero()) terms.push_back({weights[x], entry});
    }
    output_weight.push_back(weighted_sum(terms));
  }
  Number total(0);
  for (std::uint64_t j = 0; j < estimator.targets(); ++j) {
    std::vector<WeightedTerm> squares;
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      const Number weight = estimator.weight(j, channel.split(y));
      squares.push_back({output_weight[y], weight * weight});
    }
    terms.clear();
    for (std::uint64_t x = 0; x < channel.inputs(); ++x) terms.push_back({weights[x], estimator.truth(j, x)});
    const Number mean = weighted_sum(terms) / prior.total();
    total += weighted_sum(squares) / prior.total() - mean * mean;
    budget.look();
  }
  return total / n;
}

}  // namespace oddsbound::mechanisms
