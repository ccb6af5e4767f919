// The expression grammar of spec files: + - * / ^ ( ), unary minus, literals, parameters, exp, log, sqrt, inf.
// Evaluated by recursive descent, exactly.
//
// A value is infinity or a + log(v), where a and v > 0 are in K or have one square root. A probability has neither
// a logarithm nor a root; a level has a rational a. Values without this form (log(2)^2, exp(exp(1)), sqrt(2) +
// sqrt(3)) are rejected with the reason.
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

/// A value of the grammar, before the caller asks for a number or a level.
struct ExpressionValue {
  bool infinite = false;
  Surd plain;                 // a
  Surd under_log{Number(1)};  // v
};

/// A cache of values: of whole expressions that contain parentheses, and of groups with the word before them
/// ("exp(1/2)"). Invariant: equal texts in one scope have equal values. Holds texts of at most
/// kLongest characters, kMostCharacters in total.
class KnownExpressions {
 public:
  static constexpr std::size_t kLongest = 1 << 16;
  static constexpr std::size_t kMostCharacters = 4'000'000;
  struct Known {
    ExpressionValue value;
    int depth = 0;  // nesting depth inside
  };
  const Known* find(std::string_view text) const;
  void keep(std::string_view text, const Known& known);

 private:
  std::map<std::string, Known, std::less<>> known_;
  std::size_t characters_ = 0;
};

/// The names that an expression may use, and a hook that is called between operations (to enforce a deadline).
struct ExpressionScope {
  std::function<ExpressionValue(std::string_view name)> lookup;
  std::function<void()> tick;
  std::size_t most_digits = kMaxLiteralDigits;  // of a literal
  KnownExpressions* known = nullptr;            // cache for this set of names
};

inline constexpr int kMaxExpressionDepth = 200;
inline constexpr std::int64_t kMaxExponent = 10'000;

/// Returns the value of the text. Throws NumberError (with the position) for text outside the grammar or without
/// an exact value, LimitError past a limit above.
ExpressionValue evaluate_expression(std::string_view text, const ExpressionScope& scope = {});

/// True for the reserved words, which cannot name a parameter.
bool is_grammar_word(std::string_view word);

/// Returns the value; throws NumberError if it is infinite or has a logarithm.
Surd as_surd(const ExpressionValue& value);
/// Returns the value as an element of K; throws NumberError also if it has a root.
Number as_number(const ExpressionValue& value);
/// Returns the value as a level in nats; throws NumberError if it is negative or its exponential has no exact
/// form.
Level as_level(const ExpressionValue& value);

}  // namespace oddsbound::exact
