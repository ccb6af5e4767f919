// Symbols: real variables over ranges, for all of whose values at once the claims are made.
#include "specs/spec_parts.h"

namespace oddsbound::specs {

namespace {

Number read_bound(JsonView value) {
  if (value.kind() != JsonKind::kNumber && value.kind() != JsonKind::kString) {
    value.fail("found " + value.kind_name() + ", expected a number");
  }
  const Number number = at_place(value, [&] { return parse_number(value.text()); });
  if (!number.is_rational()) value.fail("found " + printable(value.text(), 40) + ", expected a rational number");
  return number;
}

// A bound in one of two forms: without the bound itself, or with it.
std::optional<Number> read_side(const Fields& fields, const std::string& open, const std::string& closed,
                                bool& is_open) {
  if (fields.has(open) && fields.has(closed)) {
    fields.require(closed).fail("a symbol has either '" + open + "' or '" + closed + "'");
  }
  is_open = fields.has(open);
  const auto value = fields.find(is_open ? open : closed);
  return value ? std::optional(read_bound(*value)) : std::nullopt;
}

}  // namespace

std::vector<Symbol> read_symbols(JsonView value) {
  constexpr std::size_t kMost = 16;
  if (!value.is_object()) value.fail("found " + value.kind_name() + ", expected an object: symbol to range");
  std::vector<Symbol> symbols;
  for (const JsonView::Member& member : value.members()) {
    require_name(member.key, "symbol");
    const Fields fields(member.value, {"gt", "ge", "lt", "le"}, "the range of a symbol");
    Symbol& symbol = symbols.emplace_back();
    symbol.name = std::string(member.key.text());
    symbol.low = read_side(fields, "gt", "ge", symbol.low_open);
    symbol.high = read_side(fields, "lt", "le", symbol.high_open);
    if (symbol.low && symbol.high && *symbol.low >= *symbol.high) {
      member.value.fail("the range " + symbol.range_text() + " holds no more than one value",
                        "a number that does not vary is a parameter");
    }
  }
  if (symbols.empty()) value.fail("found no symbol, expected at least one");
  if (symbols.size() > kMost) value.fail("a spec has at most " + std::to_string(kMost) + " symbols");
  return symbols;
}

}  // namespace oddsbound::specs
