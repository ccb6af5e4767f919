#include "mechanisms/releases/noise.h"

#include <algorithm>
#include <cmath>

#include "verifier/exact/decimal.h"

namespace oddsbound::mechanisms {

std::string Noise::words() const {
  return (kind_ == Kind::kLaplace ? "Laplace noise of scale " : "Gaussian noise of variance ") +
         decimal_text(parameter_.number());
}

std::string Noise::remark() const {
  if (kind_ == Kind::kLaplace) return "";
  return "Gaussian noise has no largest value: what is measured draws it again beyond " +
         std::to_string(ClampedGaussian::reach_of(parameter_)) +
         ", or farther out, and differs from what is drawn by less than 2^-128 for each count, in total variation";
}

Loss Noise::loss(std::uint64_t changed) const {
  const Number count(static_cast<std::int64_t>(changed));
  if (kind_ == Kind::kGaussian) return concentrated_loss(count / (Number(2) * parameter_.number()));
  // Each is noise of its own, and rhos of independent noises add up.
  const Loss one = pure_loss(Level::of_exponential(Number::exp_of(Number(1) / parameter_.number())));
  return pure_loss(Level::of_exponential(Number::exp_of(count / parameter_.number())), count * one.rho);
}

double Noise::margin() const {
  const double near = parameter_.number().approx();
  // P(|noise| >= m) is at most 2 exp(-m^2 / (2 variance)), and is 2 a^m / (1 + a) with a = exp(-1 / scale).
  const double beyond =
      kind_ == Kind::kGaussian ? std::sqrt(2 * near * std::log(40)) : near * std::log(40 / (1 + std::exp(-1 / near)));
  return std::max(0.0, std::ceil(beyond) - 1);
}

std::uint64_t Noise::window() const {
  constexpr std::uint64_t kScales = 40;
  if (kind_ == Kind::kGaussian) return ClampedGaussian::reach_of(parameter_);
  return (kScales * parameter_.top + parameter_.bottom - 1) / parameter_.bottom;
}

std::int64_t Noise::added(std::int64_t number, std::int64_t low, std::int64_t high, RandomSource& source) const {
  const auto last = static_cast<std::uint64_t>(high - low);
  if (kind_ == Kind::kLaplace) {
    return low + static_cast<std::int64_t>(draw(ClampedLaplace(parameter_, number - low, last), source));
  }
  // Within reach of everything, so that no output is impossible in the model either.
  const std::uint64_t reach = std::max(ClampedGaussian::reach_of(parameter_), last);
  return low + static_cast<std::int64_t>(draw(ClampedGaussian(parameter_, number - low, last, reach), source));
}

}  // namespace oddsbound::mechanisms
