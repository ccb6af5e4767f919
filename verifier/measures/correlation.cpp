// Error of the doubles: a sum of n terms |p - q|, each with an error of at most 2^-48 (p + q), has an error of at
// most 2^-47 + n * 2^-52. Pairs within four times this bound of the largest distance are measured exactly.
#include "verifier/measures/correlation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace oddsbound::measures {

namespace {

// The inputs with one value of a coordinate, in the same order for all values.
class Slice {
 public:
  Slice(const Domain& domain, std::size_t coordinate)
      : stride_(domain.stride(coordinate)), values_(domain.values(coordinate)), size_(domain.inputs() / values_) {}
  std::uint64_t size() const { return size_; }
  std::uint64_t input(std::uint64_t value, std::uint64_t rest) const {
    return rest / stride_ * stride_ * values_ + value * stride_ + rest % stride_;
  }

 private:
  std::uint64_t stride_, values_, size_;
};

struct Pair {
  std::uint64_t a, b;
  double distance;
};

Number exact_distance(const std::vector<Number>& weights, const Slice& slice, const std::vector<Number>& masses,
                      const Pair& pair, Budget& budget) {
  std::vector<WeightedTerm> terms;
  for (std::uint64_t rest = 0; rest < slice.size(); ++rest) {
    budget.check_every();
    const Number& left = weights[slice.input(pair.a, rest)];
    const Number& right = weights[slice.input(pair.b, rest)];
    if (left.is_zero() && right.is_zero()) continue;
    const Number difference = left * masses[pair.b] - right * masses[pair.a];
    terms.push_back({Number(1), difference.sign() < 0 ? -difference : difference});
  }
  return weighted_sum(terms) / (Number(2) * masses[pair.a] * masses[pair.b]);
}

// For a prior with too many inputs to enumerate: uses the rows that occur.
Number correlation_of_rows(const Prior& prior, std::size_t coordinate, const std::vector<Number>& masses,
                           Budget& budget) {
  const WeightsByOthers given = weights_by_others(prior, coordinate, budget);
  Number result(0);
  for (std::uint32_t a = 0; a < masses.size(); ++a) {
    for (std::uint32_t b = a + 1; b < masses.size(); ++b) {
      if (masses[a].is_zero() || masses[b].is_zero()) continue;
      std::vector<WeightedTerm> shared;
      for (const auto& [others, weights] : given) {
        budget.check_every();
        Number left;
        Number right;
        for (const auto& [value, weight] : weights) {
          if (value == a) left = weight;
          if (value == b) right = weight;
        }
        if (left.is_zero() || right.is_zero()) continue;
        shared.push_back({Number(1), std::min(left * masses[b], right * masses[a])});
      }
      // TV(P, Q) = 1 - sum min(P, Q).
      result = std::max(result, Number(1) - weighted_sum(shared) / (masses[a] * masses[b]));
    }
  }
  return result;
}

}  // namespace

WeightsByOthers weights_by_others(const Prior& prior, std::size_t coordinate, Budget& budget) {
  if (prior.has_full_support(budget)) require_listable(UINT64_MAX);
  WeightsByOthers given;
  prior.each_row(budget, [&](InputView row, const Number& weight) {
    budget.check_every();
    require_listable(given.size());
    InputRow others(row.begin(), row.end());
    others[coordinate] = 0;
    given[std::move(others)].emplace_back(row[coordinate], weight);
  });
  return given;
}

std::vector<std::size_t> blanket_of(const Prior& prior, std::size_t coordinate) {
  const std::vector<WeightTable> tables = prior.tables();
  std::vector<std::size_t> blanket{coordinate};
  std::set<std::size_t> around;
  for (std::size_t i = 0; tables.empty() && i < prior.shape().size(); ++i) around.insert(i);
  for (const WeightTable& table : tables) {
    if (std::find(table.over.begin(), table.over.end(), coordinate) == table.over.end()) continue;
    around.insert(table.over.begin(), table.over.end());
  }
  around.erase(coordinate);
  blanket.insert(blanket.end(), around.begin(), around.end());
  return blanket;
}

Number correlation(const Domain& domain, const Prior& prior, std::size_t coordinate, Budget& budget) {
  if (prior.has_independent_coordinates() || domain.size() == 1) return Number(0);
  // Given its blanket, the coordinate is independent of the other coordinates, so these add nothing to a distance.
  if (const std::vector<std::size_t> blanket = blanket_of(prior, coordinate); blanket.size() < domain.size()) {
    return correlation(domain.restricted_to(blanket), prior.marginal(blanket, budget), 0, budget);
  }
  const std::vector<Number> masses = prior.marginal_weights(coordinate, budget);
  if (!domain.is_countable() || domain.input_numbers() > budget.limits().max_inputs) {
    return correlation_of_rows(prior, coordinate, masses, budget);
  }
  const Slice slice(domain, coordinate);
  const DenseWeights& dense = prior.dense(budget);
  const double slack = 4 * (0x1p-47 + static_cast<double>(slice.size()) * 0x1p-52);
  std::vector<Pair> pairs;
  double best = -1;
  for (std::uint64_t a = 0; a < masses.size(); ++a) {
    for (std::uint64_t b = a + 1; b < masses.size(); ++b) {
      if (masses[a].is_zero() || masses[b].is_zero()) continue;
      budget.check();
      double distance = 0;
      const double scale_a = 1 / masses[a].approx();
      const double scale_b = 1 / masses[b].approx();
      for (std::uint64_t rest = 0; rest < slice.size() && dense.approximations_usable; ++rest) {
        distance +=
            std::abs(dense.approx[slice.input(a, rest)] * scale_a - dense.approx[slice.input(b, rest)] * scale_b);
      }
      pairs.push_back({a, b, dense.approximations_usable ? distance / 2 : std::numeric_limits<double>::infinity()});
      best = std::max(best, distance / 2);
    }
  }
  std::sort(pairs.begin(), pairs.end(), [](const Pair& x, const Pair& y) { return x.distance > y.distance; });
  Number result(0);
  for (const Pair& pair : pairs) {
    if (pair.distance < best - slack || result.is_one()) break;
    result = std::max(result, exact_distance(dense.weights, slice, masses, pair, budget));
  }
  return result;
}

}  // namespace oddsbound::measures
