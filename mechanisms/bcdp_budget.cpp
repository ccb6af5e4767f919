#include "mechanisms/bcdp_budget.h"

#include <algorithm>
#include <numeric>

#include "verifier/exact/rational_power.h"

namespace oddsbound::mechanisms {

namespace {

struct Parameters {
  std::vector<Number> capped;  // exp(min(delta_i, epsilon)), by increasing delta
  Number q;
  Number zeta;
};

Parameters read_parameters(const std::vector<std::size_t>& order, const Arguments& arguments) {
  Parameters result;
  const Level& epsilon = arguments.get<Level>("epsilon");
  for (const std::size_t i : order) {
    const Level capped = std::min(*arguments.get<CoordinateLevels>("delta")[i], epsilon);
    if (capped.is_infinite()) throw ParameterError("epsilon", "found inf, and some delta is inf as well");
    result.capped.push_back(capped.exponential());
  }
  result.q = arguments.get<Number>("q");
  if (result.q.sign() < 0 || result.q > Number(1)) {
    throw ParameterError("q", "found " + result.q.to_string() + ", expected a number from 0 to 1");
  }
  result.zeta = arguments.get<Number>("zeta");
  if (result.zeta.sign() <= 0 || result.zeta > Number(1) || !result.zeta.is_rational()) {
    throw ParameterError("zeta",
                         "found " + result.zeta.to_string() + ", expected a rational number above 0, at most 1");
  }
  return result;
}

// exp(zeta delta_1).
Number capped_root(const Parameters& parameters) {
  try {
    return rational_power(parameters.capped.front(), parameters.zeta);
  } catch (const NumberError&) {
    throw ParameterError("zeta", "e^(zeta delta) with zeta = " + parameters.zeta.to_string() +
                                     " and the least delta cannot be written exactly; with rational delta it can");
  }
}

// exp(c_i) for i = 1..d.
std::vector<Number> cumulative(const Parameters& parameters) {
  const std::vector<Number>& capped = parameters.capped;
  Number last = capped.back();
  if (!parameters.q.is_zero()) {
    const Number root = capped_root(parameters);
    last = std::min(last, (root + parameters.q - Number(1)) / parameters.q);
  }
  const Number loss = Number(1) + parameters.q * last - parameters.q;
  std::vector<Number> result;
  for (const Number& level : capped) result.push_back(last <= level ? last : level / loss);
  result.back() = last;
  return result;
}

}  // namespace

BcdpBudget bcdp_budget(const Domain& domain, const Arguments& arguments) {
  const CoordinateLevels& delta = arguments.get<CoordinateLevels>("delta");
  BcdpBudget result;
  result.order.resize(domain.size());
  std::iota(result.order.begin(), result.order.end(), std::size_t{0});
  std::stable_sort(result.order.begin(), result.order.end(),
                   [&](std::size_t a, std::size_t b) { return *delta[a] < *delta[b]; });
  Number before(1);
  for (const Number& level : cumulative(read_parameters(result.order, arguments))) {
    result.steps.push_back(Level::of_exponential(level / before));
    before = level;
  }
  return result;
}

std::vector<Field> bcdp_budget_fields() {
  return {
      {"delta", FieldKind::kAllCoordinateLevels, true, "the BCDP level to keep, for all coordinates or each"},
      {"epsilon", FieldKind::kLevel, true, "the LDP level to keep"},
      {"q", FieldKind::kNumber, true, "a bound on the correlation of every coordinate but the last with the others"},
      {"zeta", FieldKind::kNumber, true, "from 0 to 1: how much of the least delta correlation may use up"}};
}

std::vector<double> bcdp_weights(const BcdpBudget& budget, std::size_t position) {
  std::vector<double> weights;
  double total = 0;
  for (std::size_t k = 0; k <= position; ++k) {
    const double step = budget.steps[k].approx();
    weights.push_back(step * step / static_cast<double>(budget.order.size() - k));
    total += weights.back();
  }
  for (double& weight : weights) weight = total > 0 ? weight / total : 0;
  return weights;
}

}  // namespace oddsbound::mechanisms
