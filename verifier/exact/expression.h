// The expression grammar of spec files: + - * / ^ ( ), unary minus, literals, parameters, exp, log, inf.
//
// A value of the grammar is a + log(v) with a and v > 0 in K, or infinity. A probability has no logarithm in it, a
// level has a rational a. What cannot be written so (log(2)^2, exp(exp(1))) is refused with the reason.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "verifier/exact/level.h"

namespace oddsbound::exact {

inline constexpr std::size_t kMaxExpressionLength = 4'000'000;
inline constexpr std::size_t kMaxLiteralDigits = 10'000;

/// A value of the grammar, before it is known whether a number or a level is wanted.
struct ExpressionValue {
  bool infinite = false;
  Number plain;         // a
  Number under_log{1};  // v
};

/// The names an expression may use, and a hook that is called between operations (to enforce a deadline).
struct ExpressionScope {
  std::function<ExpressionValue(std::string_view name)> lookup;
  std::function<void()> tick;
  std::size_t most_digits = kMaxLiteralDigits;  // of a literal
};

inline constexpr int kMaxExpressionDepth = 200;
inline constexpr std::int64_t kMaxExponent = 10'000;

/// Throws NumberError (with the position in the text) for what is not in the grammar or has no exact value, and
/// LimitError for what passes a limit above.
ExpressionValue evaluate_expression(std::string_view text, const ExpressionScope& scope = {});

/// The value as an element of K; throws NumberError if a logarithm or infinity remains.
Number as_number(const ExpressionValue& value);
/// The value as a level in nats; throws NumberError if it is negative or its exponential is not in K.
Level as_level(const ExpressionValue& value);

Number parse_number(std::string_view text);
Level parse_level(std::string_view text);

}  // namespace oddsbound::exact
