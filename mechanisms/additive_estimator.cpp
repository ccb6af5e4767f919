#include "mechanisms/additive_estimator.h"

#include <optional>
#include <set>

#include "base/errors.h"
#include "verifier/linear/basis.h"

namespace oddsbound::mechanisms {

namespace {

// An output of a part, and how far its probability is above its mean over the inputs, per input.
struct Feature {
  std::size_t part;
  std::uint64_t output;
  Number mean;
  Number variance;             // of the indicator of the output, for uniform inputs
  std::vector<Number> excess;  // [input]
};

// All outputs of all parts but the first ones, which follow from the others. Outputs without a variance are left out.
std::vector<Feature> features_of(const Channel& channel, Budget& budget) {
  std::vector<Feature> features;
  const std::uint64_t inputs = channel.inputs();
  const Number share = Number(1) / Number(static_cast<std::int64_t>(inputs));
  const auto factors = channel.factors();
  for (std::size_t f = 0; f < factors.size(); ++f) {
    for (std::uint64_t y = 1; y < factors[f].channel->outputs(); ++y) {
      budget.check();
      Feature feature{f, y, Number(0), Number(0), {}};
      for (std::uint64_t x = 0; x < inputs; ++x) feature.excess.push_back(factors[f].channel->entry(x, y));
      for (const Number& entry : feature.excess) feature.mean += entry * share;
      for (Number& entry : feature.excess) entry -= feature.mean;
      feature.variance = feature.mean * (Number(1) - feature.mean);
      if (!feature.variance.is_zero()) features.push_back(std::move(feature));
    }
  }
  return features;
}

// Solves left * result = right by elimination, for a square matrix. Returns some solution, or nullopt if there is none.
std::optional<Matrix> eliminated(Matrix left, Matrix right, Budget& budget) {
  const std::size_t n = left.size();
  std::vector<std::optional<std::size_t>> row_of(n);  // [unknown]
  std::size_t own = 0;
  for (std::size_t column = 0; column < n && own < n; ++column) {
    std::size_t pivot = own;
    while (pivot < n && left[pivot][column].is_zero()) ++pivot;
    if (pivot == n) continue;
    std::swap(left[pivot], left[own]);
    std::swap(right[pivot], right[own]);
    const Number scale = Number(1) / left[own][column];
    for (Number& entry : left[own]) entry *= scale;
    for (Number& entry : right[own]) entry *= scale;
    for (std::size_t row = 0; row < n; ++row) {
      budget.check();
      if (row == own || left[row][column].is_zero()) continue;
      const Number factor = left[row][column];
      for (std::size_t c = column; c < n; ++c) left[row][c] -= factor * left[own][c];
      for (std::size_t c = 0; c < right[row].size(); ++c) right[row][c] -= factor * right[own][c];
    }
    row_of[column] = own++;
  }
  for (std::size_t row = own; row < n; ++row) {
    for (const Number& entry : right[row]) {
      if (!entry.is_zero()) return std::nullopt;
    }
  }
  Matrix result(n, std::vector<Number>(right[0].size(), Number(0)));
  for (std::size_t column = 0; column < n; ++column) {
    if (row_of[column]) result[column] = right[*row_of[column]];
  }
  return result;
}

}  // namespace

AdditiveEstimator::AdditiveEstimator(const Domain& domain, std::vector<ChannelPtr> parts,
                                     std::vector<std::vector<std::vector<Number>>> weights,
                                     std::vector<Number> constants)
    : ShareEstimator(domain),
      parts_(std::move(parts)),
      weights_(std::move(weights)),
      constants_(std::move(constants)) {}

Number AdditiveEstimator::weight(std::uint64_t j, std::span<const std::uint64_t> output) const {
  Number sum = constants_[j];
  for (std::size_t f = 0; f < parts_.size(); ++f) sum += weights_[f][j][output[f]];
  return sum;
}

Number AdditiveEstimator::mean(std::uint64_t j, std::uint64_t x) const {
  std::vector<WeightedTerm> terms;
  for (std::size_t f = 0; f < parts_.size(); ++f) {
    for (std::uint64_t y = 0; y < parts_[f]->outputs(); ++y)
      terms.push_back({parts_[f]->entry(x, y), weights_[f][j][y]});
  }
  return constants_[j] + weighted_sum(terms);
}

// Parts are independent given the input.
Number AdditiveEstimator::variance(std::uint64_t j, std::uint64_t x) const {
  Number sum(0);
  for (std::size_t f = 0; f < parts_.size(); ++f) {
    std::vector<WeightedTerm> first, second;
    for (std::uint64_t y = 0; y < parts_[f]->outputs(); ++y) {
      const Number entry = parts_[f]->entry(x, y), &own = weights_[f][j][y];
      first.push_back({entry, own});
      second.push_back({entry, own * own});
    }
    const Number own_mean = weighted_sum(first);
    sum += weighted_sum(second) - own_mean * own_mean;
  }
  return sum;
}

bool AdditiveEstimator::is_unbiased(Budget& budget, std::string& where) const {
  for (std::uint64_t j = 0; j < targets(); ++j) {
    for (std::uint64_t x = 0; x < domain().inputs(); ++x) {
      budget.check();
      if (mean(j, x) == truth(j, x)) continue;
      where = "target " + target(j) + " at input " + std::to_string(x) + ": the expected weight is " +
              mean(j, x).to_string() + ", not " + truth(j, x).to_string();
      return false;
    }
  }
  return true;
}

// The variance of a weight is the mean of its variances given the input, plus the variance of its mean, 1[x = j].
Number AdditiveEstimator::mean_squared_error(const Prior& prior, const Number& n, Budget& budget) const {
  const std::vector<Number>& weights = prior.dense(budget).weights;
  Number total(0);
  for (std::uint64_t j = 0; j < targets(); ++j) {
    const Number own = weights[j] / prior.total();
    total += own - own * own;
    for (std::uint64_t x = 0; x < domain().inputs(); ++x) {
      budget.check();
      if (!weights[x].is_zero()) total += variance(j, x) * (weights[x] / prior.total());
    }
  }
  return total / n;
}

bool has_whole_parts(const Domain& domain, const Channel& channel) {
  const auto factors = channel.factors();
  if (factors.size() < 2) return false;
  for (const Factor& factor : factors) {
    if (factor.coordinates != every_coordinate(domain) || !factor.channel->factors().empty()) return false;
    if (output_words(*factor.channel) != 1) return false;
  }
  return true;
}

bool has_equal_inputs(const Channel& channel, Budget& budget) {
  std::vector<std::vector<std::uint32_t>> ranks(channel.inputs());
  std::vector<std::uint32_t> scratch;
  for (const Factor& factor : channel.factors()) {
    const auto columns = factor.channel->columns(budget);
    for (std::uint64_t y = 0; y < factor.channel->outputs(); ++y) {
      budget.check();
      const auto column = columns->ranks(y, scratch);
      for (std::uint64_t x = 0; x < ranks.size(); ++x) ranks[x].push_back(column[x]);
    }
  }
  return std::set(ranks.begin(), ranks.end()).size() < ranks.size();
}

// With the excesses N [input][feature] and the variances v, weights w solve N w = 1[x = j] - 1/k, and minimize the sum
// of v w^2: w = v^-1 N^T s with (N v^-1 N^T) s = 1[x = j] - 1/k. The constant makes up for the means.
std::shared_ptr<const AdditiveEstimator> additive_estimator(const Domain& domain, const Channel& channel,
                                                            Budget& budget) {
  const std::uint64_t k = channel.inputs();
  const std::vector<Feature> features = features_of(channel, budget);
  Matrix gram(k, std::vector<Number>(k, Number(0)));
  std::vector<WeightedTerm> terms;
  for (std::uint64_t a = 0; a < k; ++a) {
    for (std::uint64_t b = 0; b <= a; ++b) {
      budget.check();
      terms.clear();
      for (const Feature& feature : features)
        terms.push_back({feature.excess[a] / feature.variance, feature.excess[b]});
      gram[a][b] = gram[b][a] = weighted_sum(terms);
    }
  }
  const Number share = Number(1) / Number(static_cast<std::int64_t>(k));
  Matrix targets(k, std::vector<Number>(k, -share));
  for (std::uint64_t j = 0; j < k; ++j) targets[j][j] += Number(1);
  const std::optional<Matrix> solution = eliminated(std::move(gram), std::move(targets), budget);
  if (!solution) return nullptr;
  std::vector<ChannelPtr> parts;
  std::vector<std::vector<std::vector<Number>>> weights;
  for (const Factor& factor : channel.factors()) {
    parts.push_back(factor.channel);
    weights.emplace_back(k, std::vector<Number>(factor.channel->outputs(), Number(0)));
  }
  std::vector<Number> constants(k, share);
  for (const Feature& feature : features) {
    for (std::uint64_t j = 0; j < k; ++j) {
      budget.check();
      terms.clear();
      for (std::uint64_t x = 0; x < k; ++x) terms.push_back({feature.excess[x], (*solution)[x][j]});
      const Number weight = weighted_sum(terms) / feature.variance;
      weights[feature.part][j][feature.output] = weight;
      constants[j] -= weight * feature.mean;
    }
  }
  return std::make_shared<const AdditiveEstimator>(domain, std::move(parts), std::move(weights), std::move(constants));
}

}  // namespace oddsbound::mechanisms
