#include "mechanisms/bcdp_error.h"

#include <cmath>
#include <limits>
#include <numbers>

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

double bcdp_error(std::span<const double> steps, StepVariance variance) {
  std::vector<double> variances;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    variances.push_back(steps[k] > 0 ? variance(steps.size() - k, steps[k]) : 0);
  }
  double error = 0;
  for (std::size_t position = 0; position < steps.size(); ++position) {
    double total = 0;
    const std::vector<double> weights = bcdp_weights(steps, position);
    for (std::size_t k = 0; k <= position; ++k) {
      error += weights[k] * weights[k] * variances[k];
      total += weights[k];
    }
    if (total == 0) return std::numeric_limits<double>::infinity();
  }
  return error;
}

// gain^2 - 1: A of the 2^m outputs agree with the input, with probability proportional to e^level; the gain is
// (e^level A + (2^m - A)) / ((e^level - 1) (m - 1 choose floor((m - 1) / 2))), as duchi_gain has it exactly.
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

}  // namespace oddsbound::mechanisms
