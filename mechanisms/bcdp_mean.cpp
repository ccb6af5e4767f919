// Mean estimation with a BCDP level per attribute: Mechanism 1 of the BCDP paper on {-1, 1}^d, with the finite
// mechanism of Duchi, Jordan and Wainwright in every step. Step k sees all but the k - 1 most protected
// coordinates. A step with level 0 is left out: it would reveal nothing, and its estimator divides by zero. The
// output consists of the answers of all steps, since the privacy proof is about these; the estimator computes
// Mechanism 1's average. With several copies, the answers of the first copy come first.

#include "mechanisms/bcdp_mean.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <optional>

#include "mechanisms/bcdp_budget.h"
#include "mechanisms/duchi.h"
#include "mechanisms/family.h"
#include "verifier/model/channel.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::mechanisms::bcdp_mean {

namespace {

struct Step {
  std::size_t first;  // the position in the order of the first coordinate it sees
  Domain domain;
  Number gain;
};

// The average is unbiased for any weights that sum to 1, so they may be rounded: to multiples of 2^-30, and
// normalised afterwards.
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

// Averages over consecutive copies.
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
  if (steps.empty()) return no_steps(domain, limits);
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
  result.mean_steps = {rounded_steps(budget), budget.order, budget.copies, hypercube_variance};
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

// Mechanism 1 of the BCDP paper on [-1, 1]^d, with the l2-ball mechanism in every step, as printed except for the
// radius of the ball (see the l2-ball section of duchi.cpp). Steps with level 0 are left out. Outputs are
// continuous: a sampler in floating point, no exact levels.

namespace oddsbound::mechanisms::bcdp_mean_l2 {

namespace {

class Means final : public ContinuousMechanism {
 public:
  Means(std::vector<std::vector<double>> inputs, const BcdpBudget& budget)
      : inputs_(std::move(inputs)), order_(budget.order), copies_(budget.copies) {
    const std::size_t d = order_.size();
    const std::vector<double> rounded = rounded_steps(budget);
    for (std::size_t k = 0; k < d; ++k) {
      steps_.emplace_back();
      const std::size_t seen = d - k;
      if (!budget.steps[k].is_zero()) {
        steps_.back().emplace(seen, std::sqrt(static_cast<double>(seen)), budget.steps[k]);
      }
      weights_.push_back(bcdp_weights(rounded, k));
    }
  }

  std::size_t dimension() const override { return copies_ * order_.size(); }
  std::size_t copies() const override { return copies_; }

  void draw(std::uint64_t x, RandomSource& source, std::span<double> output) const override {
    const std::size_t d = order_.size();
    for (std::size_t copy = 0; copy < copies_; ++copy) draw_copy(x, source, output.subspan(copy * d, d));
  }

  std::vector<double> mean(std::uint64_t x) const override {
    std::vector<double> result(inputs_[x].size(), 0.0);
    for (std::size_t p = 0; p < order_.size(); ++p) {
      double total = 0;
      for (const double weight : weights_[p]) total += weight;
      if (total > 0) result[order_[p]] = inputs_[x][order_[p]];
    }
    return result;
  }

 private:
  void draw_copy(std::uint64_t x, RandomSource& source, std::span<double> output) const {
    const std::size_t d = order_.size();
    std::fill(output.begin(), output.end(), 0.0);
    std::vector<double> input(d), answer(d);
    for (std::size_t p = 0; p < d; ++p) input[p] = inputs_[x][order_[p]];
    for (std::size_t k = 0; k < d; ++k) {
      if (!steps_[k]) continue;
      const std::span<double> seen(answer.data() + k, d - k);
      (*steps_[k])(std::span<const double>(input).subspan(k), source, seen);
      for (std::size_t p = k; p < d; ++p) output[order_[p]] += weights_[p][k] * answer[p];
    }
  }

  std::vector<std::vector<double>> inputs_;
  std::vector<std::size_t> order_;
  std::size_t copies_;
  std::vector<std::optional<BallDraw>> steps_;
  std::vector<std::vector<double>> weights_;  // [position][step]
};

Mechanism build(const Domain& domain, const Arguments& arguments, Budget&) {
  std::vector<std::vector<double>> inputs = input_vectors(domain);
  for (std::uint64_t x = 0; x < inputs.size(); ++x) {
    for (const double value : inputs[x]) {
      if (std::abs(value) > 1) throw ModelError("the input " + input_label(domain, x) + " leaves [-1, 1]");
    }
  }
  const BcdpBudget budget = bcdp_budget(domain, arguments, ball_variance);
  Mechanism result;
  result.note = budget.note;
  result.continuous = std::make_shared<const Means>(std::move(inputs), budget);
  if (!budget.steps.front().is_zero()) {
    result.mean_steps = {rounded_steps(budget), budget.order, budget.copies, ball_variance_inside};
  }
  return result;
}

}  // namespace

Family family() {
  return {"bcdp_mean_l2",
          "an estimate of every coordinate of a vector in [-1, 1]^d, with a BCDP level each (continuous outputs)",
          "BCDP paper, Mechanisms 1 and 3 and Theorem 2, radius corrected", bcdp_budget_fields(), build};
}

}  // namespace oddsbound::mechanisms::bcdp_mean_l2

namespace oddsbound::mechanisms {

std::vector<double> bcdp_weights(std::span<const double> steps, std::size_t position) {
  std::vector<double> weights;
  double total = 0;
  for (std::size_t k = 0; k <= position; ++k) {
    weights.push_back(steps[k] * steps[k] / static_cast<double>(steps.size() - k));
    total += weights.back();
  }
  for (double& weight : weights) weight = total > 0 ? weight / total : 0;
  return weights;
}

std::vector<double> bcdp_errors(std::span<const double> steps, StepVariance variance) {
  std::vector<double> variances, errors;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    variances.push_back(steps[k] > 0 ? variance(steps.size() - k, steps[k]) : 0);
  }
  for (std::size_t position = 0; position < steps.size(); ++position) {
    double error = 0, total = 0;
    const std::vector<double> weights = bcdp_weights(steps, position);
    for (std::size_t k = 0; k <= position; ++k) {
      error += weights[k] * weights[k] * variances[k];
      total += weights[k];
    }
    errors.push_back(total == 0 ? std::numeric_limits<double>::infinity() : error);
  }
  return errors;
}

double bcdp_error(std::span<const double> steps, StepVariance variance) {
  const std::vector<double> errors = bcdp_errors(steps, variance);
  return std::accumulate(errors.begin(), errors.end(), 0.0);
}

double bcdp_printed_error(std::span<const double> steps) {
  double sum = 0, weight = 0;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    weight += steps[k] * steps[k] / static_cast<double>(steps.size() - k);
    sum += 1 / weight;
  }
  return sum;
}

double bcdp_error_bound(std::span<const double> steps) {
  return bcdp_error(steps, [](std::size_t coordinates, double level) {
    const double counted = std::min(level, 1.0);
    return 8 * static_cast<double>(coordinates) / (counted * counted);
  });
}

// gain^2 - 1. A of the 2^m outputs agree with the input, with probability proportional to e^level. The gain is
// (e^level A + (2^m - A)) / ((e^level - 1) (m - 1 choose floor((m - 1) / 2))); duchi_gain computes it exactly.
double hypercube_variance(std::size_t coordinates, double level) {
  const auto m = static_cast<double>(coordinates);
  const auto choose = [](double n, double k) {
    return std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1));
  };
  const double all = std::exp2(m);
  const double ties = coordinates % 2 == 0 ? choose(m, m / 2) : 0;
  const double agreeing = (all - ties) / 2;
  const double central = choose(m - 1, std::floor((m - 1) / 2));
  const double gain = (agreeing + (all - agreeing) * std::exp(-level)) / (-std::expm1(-level) * central);
  return gain * gain - 1;
}

double ball_variance(std::size_t coordinates, double level) {
  const auto m = static_cast<double>(coordinates);
  const double length = std::sqrt(std::numbers::pi) / 2 * m / std::tanh(level / 2) *
                        std::exp(std::lgamma((m + 1) / 2) - std::lgamma(m / 2 + 1));
  return length * length - 1;
}

double ball_variance_inside(std::size_t coordinates, double level) { return ball_variance(coordinates, level) + 1; }

}  // namespace oddsbound::mechanisms
