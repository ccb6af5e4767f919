#include "verifier/model/prior.h"

#include "base/errors.h"

namespace oddsbound {

namespace {

Number sum_of(std::span<const Number> weights) {
  std::vector<WeightedTerm> terms;
  terms.reserve(weights.size());
  for (const Number& weight : weights) terms.push_back({Number(1), weight});
  return weighted_sum(terms);
}

}  // namespace

Prior Prior::from_weights(const Domain& domain, std::vector<Number> weights, Budget& budget) {
  if (weights.size() != domain.inputs()) {
    throw ModelError("found " + std::to_string(weights.size()) + " entries, expected one for each of the " +
                     std::to_string(domain.inputs()) + " inputs");
  }
  Prior prior;
  prior.approx_.reserve(weights.size());
  for (const Number& weight : weights) {
    budget.tick();
    const int sign = weight.sign();
    if (sign < 0) throw ModelError("the negative value " + weight.to_string() + " cannot be a probability");
    if (sign == 0) prior.full_support_ = false;
    const double approx = weight.approx();
    if (sign > 0 && !(approx > 0x1p-400 && approx < 0x1p400)) prior.usable_ = false;
    prior.approx_.push_back(approx);
  }
  prior.total_ = sum_of(weights);
  if (prior.total_.is_zero()) throw ModelError("the prior has no mass: all entries are 0");
  prior.weights_ = std::move(weights);
  return prior;
}

Prior Prior::uniform(const Domain& domain) {
  Prior prior;
  prior.weights_.assign(domain.inputs(), Number(1));
  prior.total_ = Number(static_cast<std::int64_t>(domain.inputs()));
  prior.approx_.assign(domain.inputs(), 1.0);
  for (std::size_t i = 0; i < domain.size(); ++i) {
    const std::uint64_t values = domain.values(i);
    prior.marginals_.emplace_back(values, Number::ratio(1, static_cast<std::int64_t>(values)));
  }
  return prior;
}

Prior Prior::product(const Domain& domain, const std::vector<std::vector<Number>>& marginals, Budget& budget) {
  std::vector<Number> weights{Number(1)};
  for (const std::vector<Number>& marginal : marginals) {
    std::vector<Number> longer;
    longer.reserve(weights.size() * marginal.size());
    for (const Number& prefix : weights) {
      for (const Number& probability : marginal) {
        longer.push_back(prefix * probability);
        budget.tick();
      }
    }
    weights = std::move(longer);
  }
  Prior prior = from_weights(domain, std::move(weights), budget);
  prior.marginals_ = marginals;
  return prior;
}

std::vector<Number> Prior::marginal_weights(const Domain& domain, std::size_t i) const {
  if (has_independent_coordinates()) {
    std::vector<Number> scaled;
    for (const Number& probability : marginals_[i]) scaled.push_back(probability * total_);
    return scaled;
  }
  std::vector<std::vector<WeightedTerm>> terms(domain.values(i));
  for (std::uint64_t x = 0; x < inputs(); ++x) {
    if (!weights_[x].is_zero()) terms[domain.digit(x, i)].push_back({Number(1), weights_[x]});
  }
  std::vector<Number> result;
  for (const auto& value_terms : terms) result.push_back(weighted_sum(value_terms));
  return result;
}

Prior Prior::marginal(const Domain& domain, std::span<const std::size_t> coordinates, Budget& budget) const {
  if (has_independent_coordinates()) {
    std::vector<std::vector<Number>> chosen;
    for (const std::size_t i : coordinates) chosen.push_back(marginals_[i]);
    return product(domain.restricted_to(coordinates), chosen, budget);
  }
  const Projection project(domain, coordinates);
  std::vector<std::vector<WeightedTerm>> terms(project.size());
  for (std::uint64_t x = 0; x < inputs(); ++x) {
    if (!weights_[x].is_zero()) terms[project(x)].push_back({Number(1), weights_[x]});
    budget.tick();
  }
  std::vector<Number> weights;
  for (const auto& cell : terms) weights.push_back(weighted_sum(cell));
  return from_weights(domain.restricted_to(coordinates), std::move(weights), budget);
}

}  // namespace oddsbound
