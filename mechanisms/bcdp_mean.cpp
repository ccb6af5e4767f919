// Mean estimation with a Bayesian coordinate level per attribute: Mechanism 1 of the BCDP paper on {-1, 1}^d, with the
// finite mechanism of Duchi, Jordan and Wainwright in every step. Step k sees all but the k - 1 most protected
// coordinates; a step without budget is left out, for it would say nothing and its estimator divides by zero. What is
// released are the answers of all steps, from which Mechanism 1's average is computed by the estimator: its privacy
// proof is about the answers. Of several copies the answers of the first come first.
#include <cmath>

#include "mechanisms/bcdp_budget.h"
#include "mechanisms/duchi.h"
#include "mechanisms/formulas.h"
#include "verifier/model/dense_channel.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::mechanisms::bcdp_mean {

namespace {

struct Step {
  std::size_t first;  // the position in the order of the first coordinate it sees
  Domain domain;
  Number gain;
};

// For any weights that sum to 1 the average is unbiased, so they may be rounded; they are, to multiples of 2^-30 before
// they are normalised.
std::vector<Number> exact_weights(const BcdpBudget& budget, std::size_t position) {
  std::vector<Number> weights;
  Number total(0);
  for (const double weight : bcdp_weights(rounded_steps(budget), position)) {
    weights.push_back(Number::ratio(std::llround(weight * (1 << 30)), 1 << 30));
    total += weights.back();
  }
  for (Number& weight : weights) {
    if (!total.is_zero()) weight /= total;
  }
  return weights;
}

// By the average over some copies that follow one another.
class Means final : public SignMeanEstimator {
 public:
  Means(const Domain& domain, const BcdpBudget& budget, std::vector<Step> steps, std::size_t first_copy,
        std::size_t copies)
      : SignMeanEstimator(domain),
        steps_(std::move(steps)),
        first_copy_(first_copy),
        copies_(copies),
        position_(domain.size()),
        weights_(domain.size()) {
    for (std::size_t p = 0; p < domain.size(); ++p) {
      position_[budget.order[p]] = p;
      weights_[p] = exact_weights(budget, p);
    }
  }
  Number weight(std::uint64_t j, std::span<const std::uint64_t> output) const override {
    Number sum(0);
    for (std::size_t copy = first_copy_; copy < first_copy_ + copies_; ++copy) {
      sum += weight_of_copy(j, output.subspan(copy * steps_.size(), steps_.size()));
    }
    return sum / Number(static_cast<std::int64_t>(copies_));
  }

 private:
  Number weight_of_copy(std::uint64_t j, std::span<const std::uint64_t> output) const {
    const std::size_t position = position_[j];
    Number result(0);
    for (std::size_t s = 0; s < steps_.size() && steps_[s].first <= position; ++s) {
      const Step& step = steps_[s];
      const int sign = hypercube_sign(step.domain, output[s], position - step.first);
      result += weights_[position][step.first] * step.gain * Number(sign);
    }
    return result;
  }

  std::vector<Step> steps_;
  std::size_t first_copy_, copies_;
  std::vector<std::size_t> position_;         // of each coordinate in the order
  std::vector<std::vector<Number>> weights_;  // [position][step]
};

Mechanism silence(const Domain& domain, Budget& budget) {
  PoolBuilder builder;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) builder.add(Number(1));
  return {DenseChannel::from_rows(domain.inputs(), {"()"}, std::move(builder), budget)};
}

Mechanism build(const Domain& domain, const Arguments& arguments, Budget& limits) {
  const BcdpBudget budget = bcdp_budget(domain, arguments, hypercube_variance);
  std::vector<SamplerPart> copy_parts;
  std::vector<Factor> copy_factors;
  std::vector<Step> steps;
  for (std::size_t k = 0; k < domain.size(); ++k) {
    const std::vector<std::size_t> seen(budget.order.begin() + static_cast<std::ptrdiff_t>(k), budget.order.end());
    const Domain part = domain.restricted_to(seen);
    const Mechanism step = duchi_mechanism(part, budget.steps[k]);
    if (budget.steps[k].is_zero()) continue;
    copy_parts.push_back({step.channel, step.sampler, seen});
    copy_factors.push_back({step.channel, seen});
    steps.push_back({k, part, *duchi_gain(part.size(), budget.steps[k])});
  }
  if (steps.empty()) return silence(domain, limits);
  std::vector<SamplerPart> parts;
  std::vector<Factor> factors;
  for (std::size_t copy = 0; copy < budget.copies; ++copy) {
    parts.insert(parts.end(), copy_parts.begin(), copy_parts.end());
    factors.insert(factors.end(), copy_factors.begin(), copy_factors.end());
  }
  Mechanism result;
  result.note = budget.note;
  result.channel = std::make_shared<const ProductChannel>(domain, std::move(factors));
  result.sampler = product_sampler(domain, std::move(parts));
  const bool all_seen = steps.front().first == 0;
  if (!all_seen) return result;
  result.estimator = std::make_shared<const Means>(domain, budget, steps, 0, budget.copies);
  for (std::size_t copy = 0; budget.copies > 1 && copy < budget.copies; ++copy) {
    result.copies.push_back(std::make_shared<const Means>(domain, budget, steps, copy, 1));
  }
  return result;
}

}  // namespace

Family family() {
  return {"bcdp_mean", "sign vectors from which means are estimated, with a BCDP level per coordinate and an LDP level",
          "BCDP paper, Mechanism 1 and Theorem 2; Duchi, Jordan, Wainwright (2013)", bcdp_budget_fields(), build};
}

}  // namespace oddsbound::mechanisms::bcdp_mean
