#include "verifier/measures/tradeoff.h"

#include <algorithm>
#include <functional>

namespace oddsbound {

namespace {

std::vector<Number> mixture_over(Subject& subject, const std::function<bool(std::uint64_t)>& contains) {
  const Columns& columns = subject.columns();
  const std::vector<Number>& weights = subject.prior().dense(subject.budget()).weights;
  std::vector<WeightedTerm> mass_terms;
  for (std::uint64_t x = 0; x < weights.size(); ++x) {
    if (contains(x)) mass_terms.push_back({Number(1), weights[x]});
  }
  const Number mass = weighted_sum(mass_terms);
  std::vector<Number> result;
  std::vector<std::uint32_t> scratch;
  for (std::uint64_t y = 0; y < columns.outputs(); ++y) {
    subject.budget().look();
    const auto column = columns.ranks(y, scratch);
    std::vector<WeightedTerm> terms;
    for (std::uint64_t x = 0; x < column.size(); ++x) {
      if (!weights[x].is_zero() && contains(x)) terms.push_back({weights[x], columns.pool().value(column[x])});
    }
    result.push_back(weighted_sum(terms) / mass);
  }
  return result;
}

}  // namespace

std::vector<ErrorPair> tradeoff_curve(std::span<const Number> from, std::span<const Number> to) {
  std::vector<std::size_t> order;
  for (std::size_t y = 0; y < from.size(); ++y) {
    if (!from[y].is_zero() || !to[y].is_zero()) order.push_back(y);
  }
  const auto quotient = [&](std::size_t a, std::size_t b) { return compare_products(to[a], from[b], to[b], from[a]); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return quotient(a, b) > 0; });
  ErrorPair errors{Number(0), Number(1)};
  std::vector<ErrorPair> vertices;
  // Outputs that "from" never produces are rejected at no cost: the curve starts below (0, 1) then.
  if (order.empty() || !from[order[0]].is_zero()) vertices.push_back(errors);
  for (std::size_t k = 0; k < order.size(); ++k) {
    errors.type_one += from[order[k]];
    errors.type_two -= to[order[k]];
    if (k + 1 == order.size() || quotient(order[k], order[k + 1]) != 0) vertices.push_back(errors);
  }
  return vertices;
}

std::vector<Number> output_distribution(Subject& subject, std::uint64_t input) {
  const Columns& columns = subject.columns();
  std::vector<Number> result;
  std::vector<std::uint32_t> scratch;
  for (std::uint64_t y = 0; y < columns.outputs(); ++y) {
    subject.budget().look();
    result.push_back(columns.pool().value(columns.ranks(y, scratch)[input]));
  }
  return result;
}

std::vector<Number> output_distribution(Subject& subject, std::size_t coordinate, std::uint64_t value) {
  const Domain& domain = subject.domain();
  return mixture_over(subject, [&](std::uint64_t x) { return domain.digit(x, coordinate) == value; });
}

std::vector<Number> output_distribution(Subject& subject, std::span<const std::uint32_t> label_of,
                                        std::uint32_t label) {
  return mixture_over(subject, [&](std::uint64_t x) { return label_of[x] == label; });
}

}  // namespace oddsbound
