#include "app/tune_range.h"

#include <algorithm>

#include "base/errors.h"
#include "verifier/exact/interval.h"
#include "verifier/smt/everywhere.h"

namespace oddsbound::app {

namespace {

// One end of the range: the requested one, that of the grid, or that of the symbol, which may have none.
Number end_of_range(const VariedSpec& spec, const TuneRequest& request, bool upper) {
  const auto& asked = upper ? request.to : request.from;
  if (asked) return *asked;
  if (!request.grid.empty()) {
    const auto [least, most] = std::minmax_element(request.grid.begin(), request.grid.end());
    return upper ? *most : *least;
  }
  const Symbol* symbol = spec.symbol();
  const auto own = symbol == nullptr ? std::nullopt : upper ? symbol->high : symbol->low;
  if (own) return *own;
  throw ModelError("the range of '" + printable(spec.parameter()) + "' has no " + (upper ? "upper" : "lower") +
                   " end: say which (--from and --to, or a list of values as --grid)");
}

// True if the end is an open end of the symbol's range. Throws ModelError if the end is outside it.
bool is_open_end(const VariedSpec& spec, const Number& end, bool upper) {
  const Symbol* symbol = spec.symbol();
  if (symbol == nullptr || symbol->contains(end)) return false;
  const auto& bound = upper ? symbol->high : symbol->low;
  if (bound && *bound == end) return true;
  throw ModelError("the range " + symbol->range_text() + " does not reach " + end.to_string());
}

bool lies_in(const TuneRange& range, const Number& value) {
  const bool above = range.from_open ? value > range.from.number : value >= range.from.number;
  return above && (range.to_open ? value < range.to.number : value <= range.to.number);
}

Number least_integer(const TuneRange& range) {
  const Number least = -floor_of(-range.from.number);
  return range.from_open && least == range.from.number ? least + Number(1) : least;
}
Number greatest_integer(const TuneRange& range) {
  const Number greatest = floor_of(range.to.number);
  return range.to_open && greatest == range.to.number ? greatest - Number(1) : greatest;
}

void require_rational(const Number& value) {
  if (!value.is_rational()) {
    throw ModelError("found the value " + printable(value.to_string(), 40) + ", expected a rational number");
  }
}

// An end of a range in terms of exponentials, rounded to a simple number nearby if it is not exact.
Number end_as(const TunedValue& end, bool logarithm, bool downward) {
  if (end.logarithm == logarithm) return end.number;
  if (!end.logarithm && end.number.is_zero()) return Number(1);
  constexpr unsigned kBits = 64;
  const Number near = Number::ratio(1, std::int64_t{1} << 30);
  const auto [below, above] = rational_bounds(Number::exp_of(end.number), kBits);
  return downward ? simplest_between(below - below * near, below) : simplest_between(above, above + above * near);
}

}  // namespace

TunedValue value_of(const Number& number, bool logarithm) {
  return logarithm && number.is_one() ? TunedValue{Number(0)} : TunedValue{number, logarithm};
}

TuneRange range_to_tune(const VariedSpec& spec, const TuneRequest& request) {
  for (const auto& end : {request.from, request.to}) {
    if (end) require_rational(*end);
  }
  for (const Number& value : request.grid) require_rational(value);
  TuneRange range{{end_of_range(spec, request, false)}, {end_of_range(spec, request, true)}};
  range.from_open = is_open_end(spec, range.from.number, false);
  range.to_open = is_open_end(spec, range.to.number, true);
  if (range.from < range.to) return range;
  throw ModelError("the range from " + range.from.text() + " to " + range.to.text() + " holds no more than one value");
}

std::vector<Number> grid_in(const TuneRange& range, const TuneRequest& request) {
  std::vector<Number> grid = request.grid;
  for (const Number& value : grid) {
    if (lies_in(range, value) && (!request.integers || value.is_integer())) continue;
    throw ModelError("the value " + value.to_string() + " of the grid is not " +
                     (lies_in(range, value) ? "a whole number" : "within " + range.text("the range")));
  }
  const auto parts = static_cast<std::int64_t>(request.parts);
  for (std::int64_t i = 0; i <= parts; ++i) {
    if (!request.grid.empty() && i != 0 && i != parts) continue;
    Number value = range.from.number + (range.to.number - range.from.number) * Number::ratio(i, parts);
    if (request.integers)
      value = i == 0 ? least_integer(range) : i == parts ? greatest_integer(range) : floor_of(value);
    if (lies_in(range, value)) grid.push_back(std::move(value));
  }
  std::sort(grid.begin(), grid.end());
  grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
  // The midpoint, if there is one step between two open ends.
  if (grid.empty() && !request.integers) grid.push_back((range.from.number + range.to.number) / Number(2));
  if (!grid.empty()) return grid;
  throw ModelError("there is no whole number in " + range.text("the range"));
}

std::optional<Symbol> symbol_over(const TuneRange& range, bool logarithm, Outward outward) {
  constexpr int kLargest = 100;  // larger exponentials are useless
  const bool rational = !range.from.logarithm && !range.to.logarithm;
  if (!logarithm && !rational) return std::nullopt;
  for (const TunedValue& end : {range.from, range.to}) {
    if (!end.logarithm && logarithm && (end.number > Number(kLargest) || end.number < Number(-kLargest)))
      return std::nullopt;
  }
  Symbol symbol{"", end_as(range.from, logarithm, outward == Outward::kLow),
                end_as(range.to, logarithm, outward != Outward::kHigh), range.from_open, range.to_open};
  return *symbol.low < *symbol.high ? std::optional(symbol) : std::nullopt;
}

namespace {

// Looks for a violation close to the inner end. A violation that exists there is most likely to exist everywhere.
bool some_claim_fails(const Spec& spec, bool inner_is_upper, std::span<const std::size_t> claims, const SmtOptions& smt,
                      Budget& budget) {
  const Symbol& symbol = spec.symbols->symbols()[0];
  const Number step = (*symbol.high - *symbol.low) * Number::ratio(1, 1 << 20);
  const Number at = inner_is_upper ? *symbol.high - step : *symbol.low + step;
  const InputSubset inputs(spec.model.domain);
  return std::any_of(claims.begin(), claims.end(), [&](std::size_t index) {
    const Claim& claim = spec.claims[index];
    const auto define = [&] { return claim.notion->define(spec.model, claim.arguments, inputs); };
    return claim.notion->defines(claim.arguments) &&
           uniform_violation(spec.model, define, *spec.symbols, at, smt, budget);
  });
}

std::optional<TuneRange> proven_with(const VariedSpec& spec, const TuneRange& range, bool inner_is_upper,
                                     std::span<const std::size_t> claims, bool logarithm, const SmtOptions& smt,
                                     Budget& budget) {
  // At the outer end the proved range may exceed the requested one.
  const Outward outward = inner_is_upper ? Outward::kLow : Outward::kHigh;
  const auto bounds = symbol_over(range, logarithm, outward);
  if (!bounds || (logarithm && spec.symbol() != nullptr)) return std::nullopt;
  try {
    if (!some_claim_fails(spec.over(*bounds, logarithm, budget), inner_is_upper, claims, smt, budget))
      return std::nullopt;
  } catch (const std::runtime_error&) {
    return std::nullopt;  // not possible as a symbol, or a limit was reached
  }
  TuneRange proven = range;
  TunedValue& inner = inner_is_upper ? proven.to : proven.from;
  inner = value_of(inner_is_upper ? *bounds->high : *bounds->low, logarithm);
  return proven;
}

}  // namespace

std::optional<TuneRange> failing_range(const VariedSpec& spec, const TuneRange& range, bool inner_is_upper,
                                       std::span<const std::size_t> claims, const SmtOptions& smt, Budget& budget) {
  const auto proven = proven_with(spec, range, inner_is_upper, claims, false, smt, budget);
  return proven ? proven : proven_with(spec, range, inner_is_upper, claims, true, smt, budget);
}

}  // namespace oddsbound::app
