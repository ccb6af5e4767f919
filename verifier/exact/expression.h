// The expression grammar of spec files: + - * / ^ ( ), unary minus, literals, parameters, exp, log, sqrt, inf.
//
// A value of the grammar is a + log(v) with a and v > 0 in K or with one square root, or infinity. A probability has no
// logarithm or root in it, a level has a rational a. What cannot be written so (log(2)^2, exp(exp(1)), sqrt(2) +
// sqrt(3)) is refused with the reason.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "verifier/exact/level.h"

namespace oddsbound::exact {

inline constexpr std::size_t kMaxExpressionLength = 4'000'000;
inline constexpr std::size_t kMaxLiteralDigits = 10'000;

/// A value of the grammar, before it is known whether a number or a level is wanted.
struct ExpressionValue {
  bool infinite = false;
  Surd plain;                 // a
  Surd under_log{Number(1)};  // v
};

/// The values of whole expressions with parentheses, and of parentheses with the word before them ("exp(1/2)"): equal
/// texts in one scope have equal values. Only short texts are kept, and not more than kMostCharacters in all.
class KnownExpressions {
 public:
  static constexpr std::size_t kLongest = 4096;
  static constexpr std::size_t kMostCharacters = 4'000'000;
  struct Known {
    ExpressionValue value;
    int depth = 0;  // of the nesting inside
  };
  const Known* find(std::string_view text) const;
  void keep(std::string_view text, const Known& known);

 private:
  std::map<std::string, Known, std::less<>> known_;
  std::size_t characters_ = 0;
};

/// The names an expression may use, and a hook that is called between operations (to enforce a deadline).
struct ExpressionScope {
  std::function<ExpressionValue(std::string_view name)> lookup;
  std::function<void()> tick;
  std::size_t most_digits = kMaxLiteralDigits;  // of a literal
  KnownExpressions* known = nullptr;            // of expressions with these names
};

inline constexpr int kMaxExpressionDepth = 200;
inline constexpr std::int64_t kMaxExponent = 10'000;

/// Throws NumberError (with the position in the text) for what is not in the grammar or has no exact value, and
/// LimitError for what passes a limit above.
ExpressionValue evaluate_expression(std::string_view text, const ExpressionScope& scope = {});

/// The words that no parameter can be named after.
bool is_grammar_word(std::string_view word);

/// The value without a logarithm; throws NumberError if one or infinity remains.
Surd as_surd(const ExpressionValue& value);
/// The value as an element of K; throws NumberError also if a root remains.
Number as_number(const ExpressionValue& value);
/// The value as a level in nats; throws NumberError if it is negative or its exponential cannot be written.
Level as_level(const ExpressionValue& value);

Number parse_number(std::string_view text);
Level parse_level(std::string_view text);

}  // namespace oddsbound::exact
