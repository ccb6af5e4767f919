#include "mechanisms/bcdp_budget.h"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/characters.h"
#include "verifier/exact/surd.h"

namespace oddsbound::mechanisms {

namespace {

bool any_has_symbols(std::span<const Number> numbers) {
  return std::any_of(numbers.begin(), numbers.end(), [](const Number& number) { return number.has_symbols(); });
}

struct Parameters {
  std::vector<Number> capped;            // exp(min(delta_i, epsilon)), by increasing delta
  std::vector<std::optional<Number>> q;  // in the same order; nullopt: no bound is known
  std::optional<Number> zeta;            // nullopt: choose the best
  std::int64_t copies = 1;
};

Number read_q(const Number& q) {
  if (q.sign() < 0 || q > Number(1)) {
    throw ParameterError("q", "found " + printable(q.to_string(), 40) + ", expected a number from 0 to 1");
  }
  return q;
}

// One bound for all coordinates, or bounds of some. Different bounds decide in which order the steps see coordinates,
// so no number that depends on a symbol may be among them or among the levels.
std::vector<std::optional<Number>> read_bounds(const std::vector<std::size_t>& order, const std::vector<Number>& capped,
                                               const Arguments& arguments) {
  const auto* by_coordinate = arguments.find_if<CoordinateNumbers>("q");
  if (by_coordinate == nullptr) {
    return std::vector<std::optional<Number>>(order.size(), read_q(arguments.get<Number>("q")));
  }
  if (any_has_symbols(capped)) {
    throw ParameterError("q", "found bounds by coordinate, expected one number where a level depends on a symbol");
  }
  std::vector<std::optional<Number>> bounds;
  for (const std::size_t i : order) {
    std::optional<Number>& bound = bounds.emplace_back((*by_coordinate)[i]);
    if (!bound) continue;
    if (bound->has_symbols()) {
      throw ParameterError("q", "found " + bound->to_string() + ", expected a number without symbols for a coordinate");
    }
    read_q(*bound);
  }
  return bounds;
}

Number read_zeta(const Number& zeta) {
  if (zeta.sign() <= 0 || zeta > Number(1) || !zeta.is_rational()) {
    throw ParameterError(
        "zeta", "found " + printable(zeta.to_string(), 40) + ", expected a rational number above 0, at most 1");
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
  result.q = read_bounds(order, result.capped, arguments);
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

// exp(zeta delta_i).
Number capped_root(const Parameters& parameters, std::size_t i, const Number& zeta) {
  try {
    return rational_power(parameters.capped[i], zeta);
  } catch (const NumberError&) {
    throw ParameterError(
        "zeta", "e^(zeta delta) with zeta = " + zeta.to_string() + " and " +
                    (i == 0 ? "the least delta" : "delta " + Level::of_exponential(parameters.capped[i]).to_string()) +
                    " cannot be written exactly; with rational delta it can");
  }
}

// exp(c_i) in the order of delta, exact or in doubles.
//
// Let L be the LDP level of all steps together, and delta_i capped at epsilon. By Proposition 4, part 2, a mechanism
// that is c_i-CDP and L-LDP is BCDP in coordinate i at min(c_i + log(1 + q_i (e^L - 1)), L). So it suffices that
//
//     c_i = L if L <= delta_i, or else c_i = delta_i - log(1 + q_i (e^L - 1)) >= 0.
//
// The second c_i is at least (1 - zeta) delta_i if L <= log(1 + (e^(zeta delta_i) - 1) / q_i), which bounds L. The last
// coordinate needs no bound, since L <= delta_d; a coordinate whose q_i is unknown has L <= delta_i. For one q this is
// Theorem 2: the first coordinate then has the least bound. root(i): exp(zeta delta_i); not asked for where an earlier
// coordinate has as large a q, or where q_i = 0.
template <typename Value, typename Root>
std::vector<Value> cumulative(const std::vector<Value>& capped, const std::vector<std::optional<Value>>& q,
                              const Root& root) {
  const Value one(1);
  Value last = capped.back();
  std::optional<Value> largest;
  for (std::size_t i = 0; i < std::max<std::size_t>(capped.size() - 1, 1); ++i) {
    if (!q[i]) {
      last = std::min(last, capped[i]);
    } else if (*q[i] != Value(0) && (!largest || *q[i] > *largest)) {
      largest = *q[i];
      last = std::min(last, Value((root(i) + *q[i] - one) / *q[i]));
    }
  }
  std::vector<Value> result;
  for (std::size_t i = 0; i < capped.size(); ++i) {
    const bool is_capped = last <= capped[i];
    result.push_back(is_capped ? last : Value(capped[i] / (one + *q[i] * last - *q[i])));
  }
  result.back() = last;
  return result;
}

std::vector<Number> exact_cumulative(const Parameters& parameters, const Number& zeta) {
  return cumulative(parameters.capped, parameters.q, [&](std::size_t i) { return capped_root(parameters, i, zeta); });
}

// The same in doubles, sorted. capped: levels, not their exponentials.
std::vector<double> steps_for(std::span<const double> capped, const std::vector<std::optional<double>>& q,
                              double zeta) {
  std::vector<double> exponentials;
  for (const double level : capped) exponentials.push_back(std::exp(level));
  std::vector<double> levels = cumulative(exponentials, q, [&](std::size_t i) { return std::exp(zeta * capped[i]); });
  std::stable_sort(levels.begin(), levels.end());
  std::vector<double> steps;
  double before = 0;
  for (const double c : levels) {
    steps.push_back(std::log(c) - before);
    before = std::log(c);
  }
  return steps;
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
  const auto unknown = [](const std::optional<Number>& number) { return number && number->has_symbols(); };
  if (std::any_of(parameters.q.begin(), parameters.q.end(), unknown) || any_has_symbols(exact)) {
    throw ParameterError("zeta", "found 'best', expected a number where q or a level depends on a symbol");
  }
  std::vector<double> capped;
  for (const Number& level : exact) capped.push_back(Level::of_exponential(level).approx());
  if (capped.front() == 0) {
    throw ParameterError("zeta",
                         "found 'best', expected a number where the least delta is 0: nothing is said about its "
                         "coordinate, whatever zeta is");
  }
  std::vector<std::optional<double>> q;
  for (const std::optional<Number>& bound : parameters.q)
    q.push_back(bound ? std::optional(bound->approx()) : std::nullopt);
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
    const double error = error_of(steps_for(capped, q, zeta.approx()));
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

// The places of the levels by increasing level. Levels are in the order of delta, which also sorts them if q is the
// same for all; so levels with symbols, which have one q, need not be compared.
std::vector<std::size_t> sorted_places(const std::vector<Number>& levels) {
  std::vector<std::size_t> places(levels.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (!any_has_symbols(levels)) {
    std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return levels[a] < levels[b]; });
  }
  return places;
}

// A level by its exponential: as written if that is short, else rounded.
std::string short_text(const Number& exponential) {
  constexpr std::size_t kShort = 16;
  const Level level = Level::of_exponential(exponential);
  const std::string exact = level.to_string();
  if (exact.size() <= kShort || exponential.has_symbols()) return exact;
  return fmt::format("{:.6g}", level.approx());
}

std::string listed_constants(const std::vector<std::string>& items) {
  constexpr std::size_t kMost = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(items.size(), kMost); ++i) text += (i == 0 ? "" : ", ") + items[i];
  return items.size() > kMost ? text + ", ..." : text;
}

}  // namespace

std::vector<double> bcdp_steps(std::span<const double> capped, double q, double zeta) {
  return steps_for(capped, std::vector<std::optional<double>>(capped.size(), q), zeta);
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
  result.copies = static_cast<std::size_t>(parameters.copies);
  const std::vector<std::size_t> places = sorted_places(chosen.cumulative);
  std::vector<std::size_t> by_delta = std::move(result.order);
  result.order.clear();
  Number before(1);
  std::vector<std::string> constants(domain.size());
  for (const std::size_t place : places) {
    const Number& level = chosen.cumulative[place];
    const Number step = level / before;
    result.order.push_back(by_delta[place]);
    constants[by_delta[place]] = domain.coordinate(by_delta[place]).name + " " + short_text(level);
    result.steps.push_back(
        Level::of_exponential(parameters.copies == 1 ? step : rounded_root(step, parameters.copies)));
    before = level;
  }
  result.note = (chosen.note.empty() ? "" : chosen.note + "; ") +
                "constants c (the CDP levels are at most these): " + listed_constants(constants) + "; LDP level " +
                short_text(before);
  return result;
}

Mechanism no_steps(const Domain& domain, Budget& budget) {
  PoolBuilder builder;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) builder.add(Number(1));
  return {DenseChannel::from_rows(domain.inputs(), {"()"}, std::move(builder), budget)};
}

std::vector<Field> bcdp_budget_fields() {
  return {{"delta", FieldKind::kAllCoordinateLevels, true, "the BCDP level to keep, for all coordinates or each"},
          {"epsilon", FieldKind::kLevel, true, "the LDP level to keep"},
          {"q", FieldKind::kNumberByCoordinate, true,
           "a bound on the correlation of every coordinate but the last with the others, for all or by coordinate"},
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
