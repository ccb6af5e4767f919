#include "mechanisms/releases/loss.h"

#include <algorithm>
#include <cmath>

#include "base/errors.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/rounding.h"

namespace oddsbound::mechanisms {

namespace {

// What is minimized, in doubles: only an order is taken from it.
double epsilon_near(double order, double rho, double delta) {
  const double rest = std::log(1 / delta) + order * std::log1p(-1 / order) - std::log(order - 1);
  return order * rho + rest / (order - 1);
}

// By golden section on the logarithm of order - 1.
double best_order(double rho, double delta) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  const auto at = [&](double x) { return epsilon_near(1 + std::exp(x), rho, delta); };
  double low = -20, high = 40;
  while (high - low > 1e-9) {
    const double left = high - golden * (high - low), right = low + golden * (high - low);
    (at(left) < at(right) ? high : low) = at(left) < at(right) ? right : left;
  }
  return 1 + std::exp((low + high) / 2);
}

// The least number of so many decimals that is not below.
Number rounded_up(const Number& number, int decimals) {
  const Number scale = Number(10).pow(decimals);
  return -floor_of(-(number * scale)) / scale;
}

// Where the exact sum would be too long a number, a rational bound above it.
Level sum_of(const Level& a, const Level& b) {
  try {
    return a + b;
  } catch (const LongNumberError&) {
    constexpr unsigned kBits = 64;
    const auto above = [](const Level& level) { return rational_bounds(level.exponential(), kBits).second; };
    return Level::of_exponential(rational_bounds(above(a) * above(b), kBits).second);
  }
}

}  // namespace

Loss& Loss::operator+=(const Loss& other) {
  pure = sum_of(pure, other.pure);
  rho += other.rho;
  return *this;
}

Loss pure_loss(const Level& level) {
  if (level.is_zero()) return {};
  const Number& exponential = level.exponential();
  const Number tanh_of_half = (exponential - Number(1)) / (exponential + Number(1));
  constexpr unsigned kBits = 56;
  const Number nats = parse_number(decimal_bounds(level).upper);
  return {level, rational_bounds(nats * rational_bounds(tanh_of_half, kBits).second, kBits).second};
}

Loss pure_loss(const Level& level, const Number& rho) {
  Loss loss = pure_loss(level);
  loss.rho = std::min(loss.rho, rho);
  return loss;
}

Loss concentrated_loss(const Number& rho) { return rho.is_zero() ? Loss{} : Loss{Level::infinite(), rho}; }

Number epsilon_of(const Number& rho, const Number& delta, int decimals) {
  const Number above_one = number_of(best_order(rho.approx(), delta.approx()) - 1);
  const Number order = Number(1) + above_one;
  const std::vector<WeightedLog> sum = collected({{order * rho, Number::exp_of(Number(1))},
                                                  {Number(1) / above_one, Number(1) / delta},
                                                  {order / above_one, above_one / order},
                                                  {-Number(1) / above_one, above_one}});
  if (sum.empty()) return Number(0);
  return std::max(Number(0), rounded_up(parse_number(decimal_bounds(sum).upper), decimals));
}

Number epsilon_of(const Loss& loss, const Number& delta, int decimals) {
  if (loss.is_zero()) return Number(0);
  const Number by_rho = epsilon_of(loss.rho, delta, decimals);
  if (loss.pure.is_infinite()) return by_rho;
  return std::min(by_rho, rounded_up(parse_number(decimal_bounds(loss.pure).upper), decimals));
}

}  // namespace oddsbound::mechanisms
