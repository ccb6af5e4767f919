#include "mechanisms/estimator.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "base/errors.h"
#include "mechanisms/estimator_by_parts.h"
#include "verifier/linear/basis.h"

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

class SumEstimator final : public SharesOfSome {
 public:
  SumEstimator(const Domain& domain, EstimatorPtr shares, std::span<const std::size_t> coordinates)
      : SharesOfSome(domain, coordinates), shares_(std::move(shares)), inputs_of_(targets()) {
    for (std::uint64_t x = 0; x < domain.inputs(); ++x) inputs_of_[seen()(x)].push_back(x);
  }
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    Number sum(0);
    for (const std::uint64_t x : inputs_of_[j]) sum += shares_->weight(x, output);
    return sum;
  }

 private:
  EstimatorPtr shares_;
  std::vector<std::vector<std::uint64_t>> inputs_of_;
};

class TableEstimator final : public SharesOfSome {
 public:
  TableEstimator(const Domain& domain, const Channel& channel, std::span<const std::size_t> coordinates,
                 std::vector<std::vector<Number>> weights)
      : SharesOfSome(domain, coordinates), weights_(std::move(weights)) {
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

// Solves left * result = right by elimination. Returns some solution, or nullopt if there is none.
std::optional<Matrix> solved(Matrix left, Matrix right, Budget& budget) {
  const std::size_t n = left.size();
  const std::size_t unknowns = left[0].size();
  std::vector<std::size_t> pivots;  // [row]: its column
  for (std::size_t column = 0; column < unknowns && pivots.size() < n; ++column) {
    const std::size_t own = pivots.size();
    std::size_t pivot = own;
    while (pivot < n && left[pivot][column].is_zero()) ++pivot;
    if (pivot == n) continue;
    std::swap(left[pivot], left[own]);
    std::swap(right[pivot], right[own]);
    const Number scale = Number(1) / left[own][column];
    for (std::size_t row = 0; row < n; ++row) {
      if (row == own || left[row][column].is_zero()) continue;
      const Number factor = left[row][column] * scale;
      for (std::size_t c = column; c < unknowns; ++c) left[row][c] -= factor * left[own][c];
      for (std::size_t c = 0; c < right[row].size(); ++c) right[row][c] -= factor * right[own][c];
      budget.check();
    }
    pivots.push_back(column);
  }
  const auto is_zero = [](const Number& number) { return number.is_zero(); };
  for (std::size_t row = pivots.size(); row < n; ++row) {
    if (!std::all_of(right[row].begin(), right[row].end(), is_zero)) return std::nullopt;
  }
  Matrix result(unknowns, std::vector<Number>(right[0].size(), Number(0)));
  for (std::size_t row = 0; row < pivots.size(); ++row) {
    const Number scale = Number(1) / left[row][pivots[row]];
    for (std::size_t c = 0; c < right[row].size(); ++c) result[pivots[row]][c] = right[row][c] * scale;
  }
  return result;
}

// Returns [input][values of the coordinates]: 1 if the input has these values, else 0.
Matrix indicators(const Domain& domain, std::span<const std::size_t> coordinates) {
  const Projection seen(domain, coordinates);
  Matrix result(domain.inputs(), std::vector<Number>(seen.size(), Number(0)));
  for (std::uint64_t x = 0; x < result.size(); ++x) result[x][seen(x)] = Number(1);
  return result;
}

}  // namespace

std::vector<SumOfWeights> Estimator::sums_over(const OutputCounts& outputs, Budget& budget) const {
  std::vector<SumOfWeights> result;
  for (std::uint64_t j = 0; j < targets(); ++j) {
    // Weights take few values: count the outputs of each.
    std::unordered_map<Number, std::uint64_t, NumberHash> counts;
    for (const auto& [output, count] : outputs) {
      counts[weight(j, output)] += count;
      budget.check_every();
    }
    std::vector<WeightedTerm> terms;
    double squares = 0;
    for (const auto& [weight, count] : counts) {
      terms.push_back({Number(static_cast<std::int64_t>(count)), weight});
      squares += static_cast<double>(count) * weight.approx() * weight.approx();
    }
    result.push_back({weighted_sum(terms), squares});
  }
  return result;
}

EstimatorPtr event_estimator(const Domain& domain, const Number& own, const Number& other,
                             std::function<bool(std::uint64_t, std::span<const std::uint64_t>)> event) {
  if (own == other || own.has_symbols() || other.has_symbols()) return nullptr;
  return std::make_shared<const EventEstimator>(domain, own, other, std::move(event));
}

EstimatorPtr product_estimator(const Domain& domain, std::vector<EstimatorPart> parts) {
  return std::make_shared<const ProductEstimator>(domain, std::move(parts));
}

EstimatorPtr sums_of_shares(const Domain& domain, EstimatorPtr shares, std::span<const std::size_t> coordinates) {
  return std::make_shared<const SumEstimator>(domain, std::move(shares), coordinates);
}

EstimatorPtr least_squares_estimator(const Domain& domain, const Channel& channel, Budget& budget) {
  return least_squares_estimator(domain, channel, every_coordinate(domain), budget);
}

EstimatorPtr least_squares_estimator(const Domain& domain, const Channel& channel,
                                     std::span<const std::size_t> coordinates, Budget& budget) {
  constexpr std::uint64_t kMostInputs = 256;
  constexpr std::uint64_t kMostListed = std::uint64_t{1} << 22;  // inputs^2 * outputs of a product
  if (channel.input_numbers() > kMostInputs) {
    throw LimitError("an estimator by elimination is for at most " + std::to_string(kMostInputs) + " inputs");
  }
  const Matrix targets = indicators(domain, coordinates);
  if (channel.outputs() < targets[0].size()) return nullptr;
  if (!channel.factors().empty() && channel.outputs() > kMostListed / (targets.size() * targets.size())) {
    std::vector<PartOfOutput> parts;
    for (const Factor& factor : channel.factors()) parts.push_back({factor.channel, factor.coordinates, parts.size()});
    return estimator_by_parts(domain, parts, coordinates, budget);
  }
  Matrix rows = rows_of(channel, budget);
  if (rows.size() == rows[0].size() && coordinates.size() == domain.size()) {
    // P W = 1 for W[output][target].
    const auto inverse = solved(std::move(rows), targets, budget);
    return inverse ? std::make_shared<const TableEstimator>(domain, channel, coordinates, transposed(*inverse))
                   : nullptr;
  }
  // W = D^-1 P^T (P D^-1 P^T)^-1 T, with D the distribution of the outputs under uniform inputs (up to a factor).
  // If the matrix is singular, any solution serves: two solutions differ by a vector that P^T maps to 0.
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
      budget.check();
    }
  }
  const auto shares = solved(std::move(gram), targets, budget);
  if (!shares) return nullptr;
  Matrix weights(targets[0].size(), std::vector<Number>(rows[0].size()));
  for (std::size_t j = 0; j < weights.size(); ++j) {
    for (std::size_t y = 0; y < rows[0].size(); ++y) {
      terms.clear();
      for (std::size_t x = 0; x < rows.size(); ++x) terms.push_back({(*shares)[x][j], scaled[x][y]});
      weights[j][y] = weighted_sum(terms);
      budget.check();
    }
  }
  return std::make_shared<const TableEstimator>(domain, channel, coordinates, std::move(weights));
}

bool is_unbiased(const Estimator& estimator, const Channel& channel, Budget& budget, std::string& where) {
  const bool by_moments = estimator.knows_moments();
  const Matrix rows = by_moments ? Matrix{} : rows_of(channel, budget);
  for (std::uint64_t j = 0; j < estimator.targets(); ++j) {
    std::vector<Number> weights;
    for (std::uint64_t y = 0; !by_moments && y < channel.outputs(); ++y) {
      weights.push_back(estimator.weight(j, channel.split(y)));
    }
    for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
      const Number expected = by_moments ? estimator.expected_weight(j, x) : linear::dot(rows[x], weights);
      budget.check();
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
  const std::vector<Number>& weights = prior.dense(budget).weights;
  std::vector<WeightedTerm> terms;
  const auto mean_of = [&](std::uint64_t j) {
    terms.clear();
    for (std::uint64_t x = 0; x < channel.inputs(); ++x) terms.push_back({weights[x], estimator.truth(j, x)});
    return weighted_sum(terms) / prior.total();
  };
  if (estimator.knows_moments()) {
    Number total = estimator.summed_squares(weights, budget) / prior.total();
    for (std::uint64_t j = 0; j < estimator.targets(); ++j) {
      const Number mean = mean_of(j);
      total -= mean * mean;
    }
    return total / n;
  }
  budget.require_cells(channel.inputs(), channel.outputs());
  std::vector<Number> output_weight;  // times the prior's total
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    terms.clear();
    for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
      budget.check_every();
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
    const Number mean = mean_of(j);
    total += weighted_sum(squares) / prior.total() - mean * mean;
    budget.check();
  }
  return total / n;
}

}  // namespace oddsbound::mechanisms
