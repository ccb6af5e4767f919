#include "mechanisms/bcdp_budget.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "verifier/exact/surd.h"

namespace oddsbound::mechanisms {

namespace {

struct Parameters {
  std::vector<Number> capped;  // exp(min(delta_i, epsilon)), by increasing delta
  Number q;
  std::optional<Number> zeta;  // nullopt: choose the best
  std::int64_t copies = 1;
};

Number read_zeta(const Number& zeta) {
  if (zeta.sign() <= 0 || zeta > Number(1) || !zeta.is_rational()) {
    throw ParameterError("zeta", "found " + zeta.to_string() + ", expected a rational number above 0, at most 1");
  }
  return zeta;
}

std::int64_t read_copies(const Arguments& arguments) {
  constexpr std::int64_t kMost = 16;
  const std::int64_t copies = arguments.find<std::int64_t>("copies").value_or(1);
  if (copies >= 1 && copies <= kMost) return copies;
  throw ParameterError("copies", "found " + std::to_string(copies) + ", expected a number from 1 to 16");
}

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
  if (const Number* zeta = arguments.find_if<Number>("zeta")) result.zeta = read_zeta(*zeta);
  result.copies = read_copies(arguments);
  return result;
}

// e^(level / copies), rounded down to a multiple of 2^-20, at most 2^40.
Number rounded_root(const Number& exponential, std::int64_t copies) {
  constexpr std::int64_t kUnit = std::int64_t{1} << 20;
  constexpr std::int64_t kMost = kUnit << 40;
  if (exponential.has_symbols()) {
    throw ParameterError("copies",
                         "found " + std::to_string(copies) + ", expected 1 where a level depends on a symbol");
  }
  const auto fits = [&](std::int64_t units) { return Number::ratio(units, kUnit).pow(copies) <= exponential; };
  const double guess = std::exp(Level::of_exponential(exponential).approx() / static_cast<double>(copies));
  auto units = static_cast<std::int64_t>(std::min(guess * kUnit, static_cast<double>(kMost)));
  while (!fits(units)) --units;
  while (units < kMost && fits(units + 1)) ++units;
  return Number::ratio(units, kUnit);
}

// exp(zeta delta_1).
Number capped_root(const Parameters& parameters, const Number& zeta) {
  try {
    return rational_power(parameters.capped.front(), zeta);
  } catch (const NumberError&) {
    throw ParameterError("zeta", "e^(zeta delta) with zeta = " + zeta.to_string() +
                                     " and the least delta cannot be written exactly; with rational delta it can");
  }
}

// exp(c_i) for i = 1..d, exact or in doubles. root: exp(zeta delta_1); irrelevant if q = 0.
template <typename Value>
std::vector<Value> cumulative(const std::vector<Value>& capped, const Value& q, const Value& root) {
  const Value one(1);
  Value last = capped.back();
  if (q != Value(0)) last = std::min(last, Value((root + q - one) / q));
  const Value loss = one + q * last - q;
  std::vector<Value> result;
  for (const Value& level : capped) result.push_back(last <= level ? last : Value(level / loss));
  result.back() = last;
  return result;
}

std::vector<Number> exact_cumulative(const Parameters& parameters, const Number& zeta) {
  const Number root = parameters.q.is_zero() ? Number(1) : capped_root(parameters, zeta);
  return cumulative(parameters.capped, parameters.q, root);
}

struct Chosen {
  std::vector<Number> cumulative;  // exp(c_i)
  std::string note;
};

// Returns the choice with the least error among zeta = 1/200, ..., 199/200 for which e^(zeta delta_1) is in K, and
// one step at the least delta, which keeps every level whatever the correlation. The error is a rounded double:
// the choice depends on public parameters only, and the levels of the chosen steps are exact.
Chosen best_zeta(const Parameters& parameters, StepVariance variance) {
  constexpr std::int64_t kParts = 200;
  constexpr double kNoticeable = 1 - 1e-9;
  const std::vector<Number>& exact = parameters.capped;
  const auto has_symbols = [](const Number& number) { return number.has_symbols(); };
  if (parameters.q.has_symbols() || std::any_of(exact.begin(), exact.end(), has_symbols)) {
    throw ParameterError("zeta", "found 'best', expected a number where q or a level depends on a symbol");
  }
  std::vector<double> capped;
  for (const Number& level : exact) capped.push_back(Level::of_exponential(level).approx());
  if (capped.front() == 0) {
    throw ParameterError("zeta",
                         "found 'best', expected a number where the least delta is 0: nothing is said about its "
                         "coordinate, whatever zeta is");
  }
  std::vector<double> one_step(capped.size(), 0.0);
  one_step.front() = capped.front();
  const auto error_of = [&](std::vector<double> steps) {
    for (double& step : steps) step /= static_cast<double>(parameters.copies);
    return bcdp_error(steps, variance);
  };
  double least = error_of(one_step);
  Chosen chosen{std::vector<Number>(exact.size(), exact.front()),
                "one step at the least delta estimates with the least error"};
  for (std::int64_t part = 1; part < kParts; ++part) {
    const Number zeta = Number::ratio(part, kParts);
    const double error = error_of(bcdp_steps(capped, parameters.q.approx(), zeta.approx()));
    if (!(error < least * kNoticeable)) continue;
    try {
      chosen = {exact_cumulative(parameters, zeta), "zeta = " + zeta.to_string() + " estimates with the least error"};
      least = error;
    } catch (const ParameterError&) {
      // e^(zeta delta_1) is not in K.
    }
  }
  return chosen;
}

}  // namespace

std::vector<double> bcdp_steps(std::span<const double> capped, double q, double zeta) {
  std::vector<double> exponentials;
  for (const double level : capped) exponentials.push_back(std::exp(level));
  std::vector<double> steps;
  double before = 0;
  for (const double c : cumulative(exponentials, q, std::exp(zeta * capped.front()))) {
    steps.push_back(std::log(c) - before);
    before = std::log(c);
  }
  return steps;
}

BcdpBudget bcdp_budget(const Domain& domain, const Arguments& arguments, StepVariance variance) {
  const CoordinateLevels& delta = arguments.get<CoordinateLevels>("delta");
  BcdpBudget result;
  result.order.resize(domain.size());
  std::iota(result.order.begin(), result.order.end(), std::size_t{0});
  std::stable_sort(result.order.begin(), result.order.end(),
                   [&](std::size_t a, std::size_t b) { return *delta[a] < *delta[b]; });
  const Parameters parameters = read_parameters(result.order, arguments);
  const Chosen chosen =
      parameters.zeta ? Chosen{exact_cumulative(parameters, *parameters.zeta), ""} : best_zeta(parameters, variance);
  result.note = chosen.note;
  result.copies = static_cast<std::size_t>(parameters.copies);
  Number before(1);
  for (const Number& level : chosen.cumulative) {
    const Number step = level / before;
    result.steps.push_back(
        Level::of_exponential(parameters.copies == 1 ? step : rounded_root(step, parameters.copies)));
    before = level;
  }
  return result;
}

std::vector<Field> bcdp_budget_fields() {
  return {
      {"delta", FieldKind::kAllCoordinateLevels, true, "the BCDP level to keep, for all coordinates or each"},
      {"epsilon", FieldKind::kLevel, true, "the LDP level to keep"},
      {"q", FieldKind::kNumber, true, "a bound on the correlation of every coordinate but the last with the others"},
      {"zeta",
       FieldKind::kNumberOrWord,
       true,
       "from 0 to 1: how much of the least delta correlation may use up; best: what estimates with the least error",
       {"best"}},
      {"copies", FieldKind::kInteger, false,
       "how many independent answers to give, which share the levels; 1 by default, at most 16"}};
}

std::vector<double> rounded_steps(const BcdpBudget& budget) {
  std::vector<double> steps;
  for (const Level& step : budget.steps) steps.push_back(step.approx());
  return steps;
}

}  // namespace oddsbound::mechanisms
