#include "releases/step.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/errors.h"
#include "releases/threshold.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/interval.h"

namespace oddsbound::releases {

std::vector<KeyedNumber> Step::keyed(std::span<const std::int64_t> told) const {
  std::vector<KeyedNumber> numbers;
  for (std::uint64_t place = 0; place < told.size(); ++place) {
    numbers.push_back({key_of(std::span(&place, 1)), static_cast<double>(told[place])});
  }
  return numbers;
}

std::vector<PlannedFigure> Step::plan(const PlanQuestion&) const { return {}; }

std::vector<std::string> Step::notes(std::span<const std::int64_t> told, std::size_t people) const {
  const std::optional<Promise> promised = promise();
  if (!promised) return {};
  const bool enough = promised->people && *promised->people <= people;
  if (enough && !answers(told, people).empty()) return {};
  return {words_of(*promised, people)};
}

Loss CostPart::of(const Attributes& changed) const {
  const auto changes = static_cast<std::int64_t>(shared_by(reads, changed));
  if (changes == 0) return {};
  if (!each) return loss;
  const Number count(changes);
  // Pure losses add, and so do square roots of rho.
  const Number rho = count * count * loss.rho;
  if (loss.pure.is_infinite()) return concentrated_loss(rho);
  return pure_loss(Level::of_exponential(loss.pure.exponential().pow(changes)), rho);
}

namespace {

// The objective, in doubles: it only selects an order.
double epsilon_near(double order, double rho, double delta) {
  const double rest = std::log(1 / delta) + order * std::log1p(-1 / order) - std::log(order - 1);
  return order * rho + rest / (order - 1);
}

// Golden-section search over log(order - 1).
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

// Returns the least number with this many decimals that is not below `number`.
Number rounded_up(const Number& number, int decimals) {
  const Number scale = Number(10).pow(decimals);
  return -floor_of(-(number * scale)) / scale;
}

// Returns a + b, or a rational upper bound if the exact sum would be too long.
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

namespace {

class Declared final : public Step {
 public:
  explicit Declared(CostPart part) : part_(std::move(part)) {}
  std::string words() const override { return part_.name; }
  Loss loss(const Attributes& changed) const override { return part_.of(changed); }
  std::vector<CostPart> parts() const override { return {part_}; }
  StepPtr within(std::uint64_t) const override { return std::make_shared<const Declared>(*this); }
  bool runs() const override { return false; }
  std::vector<std::int64_t> run(const PeopleTable&, RandomSource&) const override {
    throw ModelError("the step '" + part_.name + "' is declared: it cannot be run");
  }
  std::vector<ToldNumber> answers(std::span<const std::int64_t>, std::size_t) const override { return {}; }

 private:
  CostPart part_;
};

}  // namespace

StepPtr declared_step(CostPart part) { return std::make_shared<const Declared>(std::move(part)); }

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

Loss Noise::loss(const Changes& changes) const {
  const auto number = [](std::uint64_t n) { return Number(static_cast<std::int64_t>(n)); };
  Number sum(0), squares(0), rho(0);
  for (const auto& [by, count] : changes) {
    sum += number(by) * number(count);
    squares += number(by) * number(by) * number(count);
    // Noises are independent, so their rhos add.
    if (kind_ == Kind::kLaplace && by > 0 && count > 0) {
      rho += number(count) * pure_loss(Level::of_exponential(Number::exp_of(number(by) / parameter_.number()))).rho;
    }
  }
  if (kind_ == Kind::kGaussian) return concentrated_loss(squares / (Number(2) * parameter_.number()));
  return pure_loss(Level::of_exponential(Number::exp_of(sum / parameter_.number())), rho);
}

namespace {
constexpr double kRoundedUp = 1 + 1e-9;  // covers the errors of some hundred operations in doubles
}

// Laplace: the variance of the discrete distribution, 2 a / (1 - a)^2 with a = exp(-1 / scale). Gaussian: that of the
// discrete one is at most the parameter (Canonne, Kamath, Steinke 2020, Corollary 9).
double Noise::variance() const {
  const double parameter = parameter_.number().approx();
  if (kind_ == Kind::kGaussian) return parameter * kRoundedUp;
  const double half = std::sinh(1 / (2 * parameter));
  // Small scales: below the smallest normal double, but not 0.
  return std::max(kRoundedUp / (2 * half * half), std::numeric_limits<double>::min());
}

// E max = sum over k >= 1 of P(max >= k), with the union bound.
double Noise::largest_of(std::uint64_t numbers) const {
  const double parameter = parameter_.number().approx();
  const auto all = static_cast<double>(numbers);
  const double likely = kind_ == Kind::kGaussian ? 2 * parameter * std::log(2 * all)
                                                 : parameter * std::log(2 * all / (1 + std::exp(-1 / parameter)));
  // Below `first` the bound is 1; beyond it, a geometric sum, or the tail of a Gaussian.
  const double first = std::max(0.0, std::ceil(kind_ == Kind::kGaussian ? std::sqrt(likely) : likely));
  double tail = 0;
  if (kind_ == Kind::kLaplace) {
    tail = 2 * all / (1 + std::exp(-1 / parameter)) * std::exp(-(first + 1) / parameter) / -std::expm1(-1 / parameter);
  } else {
    // The sum over k > first is at most the integral from first.
    tail = 2 * all * std::sqrt(std::numbers::pi * parameter / 2) * std::erfc(first / std::sqrt(2 * parameter));
  }
  return (first + tail) * kRoundedUp;
}

double Noise::margin() const {
  const double near = parameter_.number().approx();
  // P(|noise| >= m) is at most 2 exp(-m^2 / (2 variance)) (Gaussian), and equals 2 a^m / (1 + a) with a = exp(-1 /
  // scale) (Laplace).
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
  // The reach covers the window, so that no output is impossible in the model.
  const std::uint64_t reach = std::max(ClampedGaussian::reach_of(parameter_), last);
  return low + static_cast<std::int64_t>(draw(ClampedGaussian(parameter_, number - low, last, reach), source));
}

}  // namespace oddsbound::releases
