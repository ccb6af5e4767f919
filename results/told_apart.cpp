#include "results/told_apart.h"

#include "results/publishable.h"
#include "results/words.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"

namespace oddsbound::results {

namespace {

constexpr int kFewestDigits = 6, kMostDigits = 60;

bool is_shown(const Number& number) { return number.sign() >= 0; }
bool is_shown(const Level& level) { return !level.is_infinite(); }

// Of a decimal that is not negative. Monotone, so that two of the same number of digits that differ are in order.
std::string nearest(const std::string& decimal, int digits) {
  const std::string below = rounded_decimal(decimal, digits, false), above = rounded_decimal(decimal, digits, true);
  const Number value = parse_number(decimal);
  return value - parse_number(below) < parse_number(above) - value ? below : above;
}

template <typename Value>
std::optional<ToldApart> told_apart_of(const Value& a, const Value& b) {
  if (!is_shown(a) || !is_shown(b) || a == b) return std::nullopt;
  // Enclosures of so many digits that are disjoint are in the order of the numbers.
  for (const int digits : {17, kMostDigits}) {
    const DecimalBounds first = decimal_bounds(a, digits), second = decimal_bounds(b, digits);
    if (parse_number(first.upper) >= parse_number(second.lower) &&
        parse_number(second.upper) >= parse_number(first.lower))
      continue;
    for (int shown = kFewestDigits; shown <= digits; ++shown) {
      ToldApart told{nearest(first.lower, shown), nearest(second.lower, shown)};
      if (told.a != told.b) return told;
    }
  }
  return std::nullopt;
}

template <typename Value>
std::string comparison_of(const Value& a, const Value& b) {
  const char* relation = a < b ? " < " : " > ";
  if (const auto told = told_apart_of(a, b)) return told->a + relation + told->b;
  if (is_shown(a) && is_shown(b)) return "they differ after the first " + std::to_string(kMostDigits) + " digits";
  return decimal_bounds(a).upper + relation + decimal_bounds(b).upper;
}

}  // namespace

std::optional<ToldApart> told_apart(const Number& a, const Number& b) { return told_apart_of(a, b); }
std::optional<ToldApart> told_apart(const Level& a, const Level& b) { return told_apart_of(a, b); }

std::string comparison_text(const Number& a, const Number& b) { return comparison_of(a, b); }
std::string comparison_text(const Level& a, const Level& b) { return comparison_of(a, b); }

std::pair<std::string, std::string> texts_apart(const Number& a, const Number& b) {
  std::pair<std::string, std::string> texts{number_text(a), number_text(b)};
  if (texts.first != texts.second || a == b) return texts;
  if (const auto told = told_apart(a, b)) return {"about " + told->a, "about " + told->b};
  return texts;
}

}  // namespace oddsbound::results
