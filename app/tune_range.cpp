#include "app/tune_range.h"

#include <algorithm>
#include <cassert>

#include "base/errors.h"
#include "specs/spec_error.h"
#include "verifier/exact/interval.h"
#include "verifier/smt/everywhere.h"

namespace oddsbound::app {

namespace {

std::optional<JsonView> member_of(JsonView object, std::string_view key) {
  if (!object.is_object()) return std::nullopt;
  for (const JsonView::Member& member : object.members()) {
    if (member.key.text() == key) return member.value;
  }
  return std::nullopt;
}

std::vector<std::string> keys_of(std::optional<JsonView> object) {
  std::vector<std::string> keys;
  if (!object || !object->is_object()) return keys;
  for (const JsonView::Member& member : object->members()) keys.emplace_back(member.key.text());
  return keys;
}

// One step of a JSON pointer (RFC 6901), unescaped.
std::string unescaped(std::string_view step) {
  std::string text;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const bool escape = step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1');
    text += escape ? (step[++i] == '0' ? '~' : '/') : step[i];
  }
  return text;
}

std::optional<JsonView> child_of(JsonView value, const std::string& step) {
  if (!value.is_array()) return member_of(value, step);
  const std::vector<JsonView> items = value.items();
  constexpr std::size_t kMostDigits = 9;
  const bool number = !step.empty() && step.size() <= kMostDigits &&
                      std::all_of(step.begin(), step.end(), [](char c) { return c >= '0' && c <= '9'; });
  const std::size_t index = number ? std::stoul(step) : items.size();
  return index < items.size() ? std::optional(items[index]) : std::nullopt;
}

JsonView follow(const JsonDocument& document, const std::string& pointer) {
  JsonView value = document.root();
  for (std::size_t begin = 1; begin <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', begin), pointer.size());
    const std::string step = unescaped(std::string_view(pointer).substr(begin, end - begin));
    const auto child = child_of(value, step);
    if (!child) {
      const std::vector<std::string> keys = keys_of(value);
      const std::string near = suggestion(step, keys);
      value.fail("there is nothing at '" + printable(pointer) + "': there is no '" + printable(step) + "' here",
                 near.empty() && !keys.empty() ? "there are: " + listing(keys) : near);
    }
    value = *child;
    begin = end + 1;
  }
  return value;
}

JsonView number_at(const JsonDocument& document, const std::string& pointer) {
  const std::vector<std::string> parts{"parameters", "domain", "prior", "mechanism", "claims"};
  const std::string first = pointer.substr(1, pointer.find('/', 1) - 1);
  const JsonView value = follow(document, pointer);
  if (std::find(parts.begin(), parts.end(), first) == parts.end()) {
    value.fail("this cannot be varied, expected a pointer into " + listing(parts));
  }
  if (value.kind() != JsonKind::kNumber && !value.is_string()) {
    value.fail("found " + value.kind_name() + ", expected a number or a string with an expression");
  }
  return value;
}

}  // namespace

VariedSpec::VariedSpec(std::shared_ptr<const JsonDocument> document, std::string directory,
                       const std::string& parameter)
    : document_(std::move(document)), directory_(std::move(directory)), parameter_(parameter), free_name_("varied") {
  const auto symbols = member_of(document_->root(), "symbols");
  const auto parameters = member_of(document_->root(), "parameters");
  std::vector<std::string> names = keys_of(symbols);
  for (std::string& name : keys_of(parameters)) names.push_back(std::move(name));
  while (std::find(names.begin(), names.end(), free_name_) != names.end()) free_name_ += "_";
  const auto note_key = [&](const std::optional<JsonView>& object, std::string_view name) {
    if (!object || !object->is_object()) return;
    for (const JsonView::Member& member : object->members()) {
      if (member.key.text() == name) key_ = member.key;
    }
  };
  const std::string path = "/parameters/";
  if (parameter.starts_with('/')) {
    place_ = number_at(*document_, parameter);
    if (parameter.starts_with(path)) note_key(parameters, unescaped(std::string_view(parameter).substr(path.size())));
  } else if (symbols && member_of(*symbols, parameter)) {
    for (Symbol& symbol : read_symbols(*symbols)) {
      if (symbol.name == parameter) symbol_ = std::move(symbol);
    }
    note_key(symbols, parameter);
  } else if (parameters && member_of(*parameters, parameter)) {
    place_ = member_of(*parameters, parameter);
    note_key(parameters, parameter);
  } else {
    std::string hint = suggestion(parameter, names);
    if (hint.empty()) {
      hint = (names.empty() ? "" : "it has " + listing(names) + "; ") +
             std::string("or give the place of the number, as in /mechanism/epsilon");
    }
    throw SpecError({document_->file(), 0, 0, ""}, "the spec has no parameter or symbol '" + printable(parameter) + "'",
                    hint);
  }
}

bool VariedSpec::is_used(Budget& budget) const {
  if (!key_) return true;
  try {
    read_spec_document(document_->with_text(*key_, free_name_), directory_, budget);
    return false;  // nothing misses the name
  } catch (const LimitError&) {
    throw;
  } catch (const SpecError&) {
    return true;
  }
}

std::string VariedSpec::as_written() const { return symbol_ ? symbol_->range_text() : std::string(place_->text()); }

Spec VariedSpec::at(const std::string& value, Budget& budget) const {
  if (!symbol_) return read_spec_document(document_->with_text(*place_, value), directory_, budget);
  GivenSymbols given;
  given.values.emplace(symbol_->name, parse_number(value));
  return read_spec_document(document_, directory_, budget, given);
}

Spec VariedSpec::over(Symbol range, bool logarithm, Budget& budget) const {
  range.name = varied_name();
  assert(!(symbol_ && logarithm));
  const std::string text = logarithm ? "log(" + range.name + ")" : range.name;
  const auto document = symbol_ ? document_ : document_->with_text(*place_, text);
  return read_spec_document(document, directory_, budget, {{}, std::move(range)});
}

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

bool VariedSpec::counts_runs() const {
  const auto mechanism = member_of(document_->root(), "mechanism");
  const auto type = mechanism ? member_of(*mechanism, "type") : std::nullopt;
  return parameter_ == "/mechanism/times" && type && type->is_string() && type->text() == "repeat";
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
