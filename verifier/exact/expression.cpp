// Recursive-descent evaluator of the expression grammar. The nesting depth and the size of every intermediate
// number are bounded.
#include "verifier/exact/expression.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

#include "base/errors.h"
#include "verifier/exact/number.h"

namespace oddsbound::exact {

namespace {

// log(c * exp(r)) = r + log(c). This turns a rational logarithm into the rational.
ExpressionValue logarithm_of(const Surd& argument) {
  if (argument.sign() <= 0) throw NumberError("log of " + argument.to_string() + ", which is not positive");
  Surd coefficient;
  Number exponent;
  if (argument.is_monomial(coefficient, exponent)) return {false, exponent, coefficient};
  return {false, Number(0), argument};
}

bool is_plain(const ExpressionValue& value) { return !value.infinite && value.under_log.is_one(); }

void require_finite(const ExpressionValue& value, const char* where) {
  if (value.infinite) throw NumberError(std::string("inf cannot be used in ") + where);
}

ExpressionValue add(const ExpressionValue& a, const ExpressionValue& b, bool negate) {
  require_finite(b, "a sum");
  require_finite(a, "a sum");
  ExpressionValue result;
  result.plain = negate ? a.plain - b.plain : a.plain + b.plain;
  result.under_log = negate ? a.under_log / b.under_log : a.under_log * b.under_log;
  const ExpressionValue log = logarithm_of(result.under_log);
  return {false, result.plain + log.plain, log.under_log};
}

// Returns the exponent of e^logarithm, or of its square root if `halved`, that a factor of the logarithm stands for.
std::int64_t multiplier(const Surd& factor, bool& halved) {
  std::int64_t count = 0;
  halved = factor.is_rational() && !factor.plain().is_integer();
  const Surd whole = halved ? factor * Surd(Number(2)) : factor;
  if (!whole.is_number() || !whole.plain().fits_int64(count)) {
    throw NumberError("a logarithm can only be multiplied by an integer or by half of one, not by " +
                      factor.to_string() + ": the product cannot be represented exactly");
  }
  if (count > kMaxExponent || count < -kMaxExponent) {
    throw LimitError("a logarithm is multiplied by " + factor.to_string() + ", the limit is " +
                     std::to_string(halved ? kMaxExponent / 2 : kMaxExponent));
  }
  return count;
}

// (23/2) log(2) = log(sqrt(2)^23).
ExpressionValue scaled(const ExpressionValue& logarithm, const Surd& factor) {
  bool halved = false;
  const std::int64_t count = multiplier(factor, halved);
  if (!halved) return {false, logarithm.plain * factor, logarithm.under_log.pow(count)};
  if (!logarithm.under_log.is_number()) {
    throw NumberError("half of the logarithm of " + logarithm.under_log.to_string() +
                      ", which has a root in it, cannot be represented exactly");
  }
  return {false, logarithm.plain * factor, Surd::root_of(logarithm.under_log.plain()).pow(count)};
}

ExpressionValue multiply(const ExpressionValue& a, const ExpressionValue& b) {
  require_finite(a, "a product");
  require_finite(b, "a product");
  if (is_plain(a) && is_plain(b)) return {false, a.plain * b.plain, Number(1)};
  if (!is_plain(a) && !is_plain(b)) throw NumberError("a product of logarithms cannot be represented exactly");
  return is_plain(a) ? scaled(b, a.plain) : scaled(a, b.plain);
}

ExpressionValue divide(const ExpressionValue& a, const ExpressionValue& b) {
  require_finite(a, "a quotient");
  require_finite(b, "a quotient");
  if (!is_plain(b)) throw NumberError("division by a logarithm cannot be represented exactly");
  if (!is_plain(a)) {
    const Surd factor = Surd(Number(1)) / b.plain;
    if (!factor.is_rational() || !(factor.plain() * Number(2)).is_integer()) {
      throw NumberError("a logarithm divided by " + b.plain.to_string() + " cannot be represented exactly");
    }
    return scaled(a, factor);
  }
  return {false, a.plain / b.plain, Number(1)};
}

ExpressionValue power(const ExpressionValue& base, const ExpressionValue& exponent) {
  require_finite(base, "a power");
  require_finite(exponent, "a power");
  std::int64_t count = 0;
  if (!is_plain(exponent) || !exponent.plain.is_number() || !exponent.plain.plain().is_integer()) {
    throw NumberError("an exponent after ^ must be an integer: other powers cannot be represented exactly");
  }
  if (!exponent.plain.plain().fits_int64(count) || count > kMaxExponent || count < -kMaxExponent) {
    throw LimitError("the exponent after ^ passes the limit of " + std::to_string(kMaxExponent));
  }
  if (count == 1) return base;
  if (!is_plain(base)) {
    if (count == 0) return {false, Number(1), Number(1)};
    throw NumberError("a power of a logarithm cannot be represented exactly");
  }
  return {false, base.plain.pow(count), Number(1)};
}

ExpressionValue exponential(const ExpressionValue& argument) {
  require_finite(argument, "exp(...)");
  if (!argument.plain.is_rational()) {
    throw NumberError("exp(" + argument.plain.to_string() + ") cannot be represented exactly: the argument of exp " +
                      "must be a rational number or a level");
  }
  const Number& exponent = argument.plain.plain();
  if (exponent > Number(kMaxExponent) || exponent < Number(-kMaxExponent)) {
    throw LimitError("the argument of exp passes the limit of " + std::to_string(kMaxExponent));
  }
  return {false, Surd(Number::exp_of(exponent)) * argument.under_log, Number(1)};
}

ExpressionValue square_root(const ExpressionValue& argument) {
  require_finite(argument, "sqrt(...)");
  if (!is_plain(argument)) throw NumberError("sqrt of a logarithm cannot be represented exactly");
  if (!argument.plain.is_number()) {
    throw NumberError("sqrt of " + argument.plain.to_string() +
                      ", which has a root in it, cannot be represented exactly");
  }
  return {false, Surd::root_of(argument.plain.plain()), Number(1)};
}

class Evaluator {
 public:
  Evaluator(std::string_view text, const ExpressionScope& scope) : text_(text), scope_(scope) {}

  KnownExpressions::Known run() {
    try {
      skip_space();
      if (at_end()) throw NumberError("the expression is empty");
      const ExpressionValue value = sum();
      if (!at_end()) throw NumberError("unexpected " + found() + ", expected an operator or the end");
      return {value, deepest_};
    } catch (const Interrupted&) {
      throw;
    } catch (const NumberError& error) {
      throw NumberError(std::string(error.what()) + where());
    } catch (const LimitError& error) {
      throw LimitError(std::string(error.what()) + where());
    }
  }

 private:
  bool at_end() const { return position_ == text_.size(); }
  char peek() const { return at_end() ? '\0' : text_[position_]; }
  std::string where() const { return " (at character " + std::to_string(position_ + 1) + " of the expression)"; }

  std::string found() const {
    if (at_end()) return "end of the expression";
    const unsigned char c = static_cast<unsigned char>(peek());
    if (c < 0x20 || c >= 0x7f) return "byte " + std::to_string(c);
    return std::string("'") + peek() + "'";
  }

  void skip_space() {
    while (!at_end() && (peek() == ' ' || peek() == '\t')) ++position_;
  }

  bool accept(char c) {
    if (peek() != c || at_end()) return false;
    ++position_;
    skip_space();
    return true;
  }

  void check_every() const {
    if (scope_.tick) scope_.tick();
  }

  // Multiples of powers of exp are added together, at the end: one by one would take quadratic time. They wait only
  // behind rationals and each other, so that an error of a sum is at the term that causes it.
  ExpressionValue sum() {
    ExpressionValue value = product();
    std::vector<Waiting> waiting;
    for (;;) {
      check_every();
      const bool negate = peek() == '-';
      const std::size_t before = position_;
      if (!accept('+') && !accept('-')) return with(std::move(value), waiting);
      if (waiting.empty() && is_multiple_of_exp(value)) {
        waiting.push_back({value.plain.plain(), before});
        value.plain = Surd();
      }
      const ExpressionValue term = product();
      if (is_multiple_of_exp(term) && is_plain(value) && value.plain.is_rational()) {
        waiting.push_back({negate ? -term.plain.plain() : term.plain.plain(), position_});
        continue;
      }
      if (!is_plain(term) || !term.plain.is_rational()) value = with(std::move(value), waiting);
      value = add(value, term, negate);
    }
  }

  static bool is_multiple_of_exp(const ExpressionValue& value) {
    Number coefficient, exponent;
    return is_plain(value) && value.plain.is_number() && !value.plain.is_rational() &&
           value.plain.plain().is_monomial(coefficient, exponent);
  }

  struct Waiting {
    Number term;
    std::size_t position;  // after it
  };

  // Adds the waiting terms, and empties the list.
  ExpressionValue with(ExpressionValue value, std::vector<Waiting>& waiting) {
    if (waiting.empty()) return value;
    std::vector<Number> terms;
    for (const Waiting& one : waiting) terms.push_back(one.term);
    try {
      value.plain = value.plain + Surd(sum_of(terms));
    } catch (const LongNumberError&) {
      const std::size_t after = position_;
      for (const Waiting& one : waiting) {
        position_ = one.position;
        value.plain = value.plain + Surd(one.term);
      }
      position_ = after;
    }
    waiting.clear();
    return value;
  }

  ExpressionValue product() {
    ExpressionValue value = signed_power();
    for (;;) {
      check_every();
      if (accept('*')) {
        value = multiply(value, signed_power());
      } else if (accept('/')) {
        value = divide(value, signed_power());
      } else {
        return value;
      }
    }
  }

  // Unary minus binds less tightly than ^, as in mathematics: -2^2 = -4.
  ExpressionValue signed_power() {
    bool negative = false;
    for (;; negative = !negative) {
      if (!accept('-')) break;
    }
    ExpressionValue value = powers();
    if (negative) value = add(ExpressionValue{}, value, true);
    return value;
  }

  ExpressionValue powers() {
    ExpressionValue base = atom();
    if (!accept('^')) return base;
    bool negative = false;
    for (; accept('-');) negative = !negative;
    ExpressionValue exponent = atom();
    if (negative) exponent = add(ExpressionValue{}, exponent, true);
    if (peek() == '^') throw NumberError("a power of a power needs parentheses");
    return power(base, exponent);
  }

  // Returns the text up to the parenthesis that closes the first one ahead, if it is worth caching; otherwise an
  // empty text. Literals and names are not worth it.
  std::string_view group_ahead() const {
    std::size_t end = position_;
    while (end < text_.size() && std::isalpha(static_cast<unsigned char>(text_[end]))) ++end;
    if (end == text_.size() || text_[end] != '(') return {};
    for (int open = 0; end < text_.size() && end - position_ < KnownExpressions::kLongest; ++end) {
      if (text_[end] == '(') ++open;
      if (text_[end] == ')' && --open == 0) return text_.substr(position_, end + 1 - position_);
    }
    return {};
  }

  // The value in the parentheses ahead if it was a whole expression before: a result has a number and its logarithm.
  std::optional<ExpressionValue> known_argument() {
    if (scope_.known == nullptr || peek() != '(') return std::nullopt;
    const std::string_view group = group_ahead();
    if (group.size() < 3) return std::nullopt;
    const KnownExpressions::Known* known = scope_.known->find(group.substr(1, group.size() - 2));
    if (known == nullptr || depth_ + known->depth > kMaxExpressionDepth) return std::nullopt;
    deepest_ = std::max(deepest_, depth_ + known->depth);
    position_ += group.size();
    skip_space();
    return known->value;
  }

  ExpressionValue atom() {
    const std::string_view group = scope_.known == nullptr ? std::string_view() : group_ahead();
    const KnownExpressions::Known* known = group.empty() ? nullptr : scope_.known->find(group);
    if (known != nullptr && depth_ + known->depth <= kMaxExpressionDepth) {
      deepest_ = std::max(deepest_, depth_ + known->depth);
      position_ += group.size();
      skip_space();
      return known->value;
    }
    if (++depth_ > kMaxExpressionDepth) {
      throw LimitError("the expression is nested deeper than the limit of " + std::to_string(kMaxExpressionDepth));
    }
    const std::size_t end = position_ + group.size();
    const int deepest_before = std::exchange(deepest_, depth_);
    const ExpressionValue value = atom_at_depth();
    --depth_;
    // A parameter before a parenthesis is an error that is reported later: do not cache that text.
    if (!group.empty() && position_ >= end) scope_.known->keep(group, {value, deepest_ - depth_});
    deepest_ = std::max(deepest_, deepest_before);
    return value;
  }

  ExpressionValue atom_at_depth() {
    const char c = peek();
    if (accept('(')) return closed(sum());
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return {false, literal(), Number(1)};
    if (std::isalpha(static_cast<unsigned char>(c)) || c == '_') return name();
    throw NumberError("unexpected " + found() + ", expected a number, a name or '('");
  }

  ExpressionValue closed(const ExpressionValue& value) {
    if (!accept(')')) throw NumberError("unexpected " + found() + ", expected ')'");
    return value;
  }

  ExpressionValue name() {
    const std::size_t begin = position_;
    while (!at_end() && (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '_')) ++position_;
    const std::string_view word = text_.substr(begin, position_ - begin);
    skip_space();
    if (word == "inf") return {true, Number(0), Number(1)};
    if (is_grammar_word(word)) {
      const std::optional<ExpressionValue> known = known_argument();
      if (!known && !accept('(')) {
        throw NumberError("unexpected " + found() + ", expected '(' after " + std::string(word));
      }
      const ExpressionValue argument = known ? *known : closed(sum());
      return word == "exp" ? exponential(argument) : word == "sqrt" ? square_root(argument) : logarithm(argument);
    }
    if (!scope_.lookup) throw NumberError("unknown name '" + std::string(word) + "'");
    return scope_.lookup(word);
  }

  static ExpressionValue logarithm(const ExpressionValue& argument) {
    require_finite(argument, "log(...)");
    if (!is_plain(argument)) throw NumberError("log of a logarithm cannot be represented exactly");
    return logarithm_of(argument.plain);
  }

  std::string digits() {
    const std::size_t begin = position_;
    while (std::isdigit(static_cast<unsigned char>(peek()))) ++position_;
    if (position_ - begin > scope_.most_digits) {
      throw LimitError("a literal has " + std::to_string(position_ - begin) + " digits, the limit is " +
                       std::to_string(scope_.most_digits));
    }
    return std::string(text_.substr(begin, position_ - begin));
  }

  Number literal() {
    std::string mantissa = digits();
    std::int64_t exponent = 0;
    if (peek() == '.') {
      ++position_;
      const std::string fraction = digits();
      if (mantissa.empty() && fraction.empty()) throw NumberError("a point without digits");
      mantissa += fraction;
      exponent = -static_cast<std::int64_t>(fraction.size());
    }
    if (peek() == 'e' || peek() == 'E') exponent += decimal_exponent();
    skip_space();
    const Number value = Number::from_digits(mantissa, "1");
    return exponent == 0 ? value : value * Number(10).pow(exponent);
  }

  std::int64_t decimal_exponent() {
    ++position_;
    const bool negative = peek() == '-';
    if (negative || peek() == '+') ++position_;
    const std::string text = digits();
    if (text.empty()) throw NumberError("unexpected " + found() + ", expected the digits of an exponent");
    const std::size_t leading = text.find_first_not_of('0');
    const std::string significant = leading == std::string::npos ? "0" : text.substr(leading);
    if (significant.size() > 5 || std::stol(significant) > kMaxExponent) {
      throw LimitError("the exponent of a literal passes the limit of " + std::to_string(kMaxExponent));
    }
    return negative ? -std::stol(significant) : std::stol(significant);
  }

  std::string_view text_;
  const ExpressionScope& scope_;
  std::size_t position_ = 0;
  int depth_ = 0;
  int deepest_ = 0;  // deepest level reached
};

}  // namespace

const KnownExpressions::Known* KnownExpressions::find(std::string_view text) const {
  const auto found = known_.find(text);
  return found == known_.end() ? nullptr : &found->second;
}

void KnownExpressions::keep(std::string_view text, const Known& known) {
  if (characters_ + text.size() > kMostCharacters) return;
  if (known_.emplace(text, known).second) characters_ += text.size();
}

ExpressionValue evaluate_expression(std::string_view text, const ExpressionScope& scope) {
  if (text.size() > kMaxExpressionLength) {
    throw LimitError("an expression of " + std::to_string(text.size()) + " characters passes the limit of " +
                     std::to_string(kMaxExpressionLength));
  }
  const bool worth_keeping =
      scope.known != nullptr && text.size() <= KnownExpressions::kLongest && text.find('(') != std::string_view::npos;
  if (!worth_keeping) return Evaluator(text, scope).run().value;
  if (const KnownExpressions::Known* known = scope.known->find(text)) return known->value;
  const KnownExpressions::Known result = Evaluator(text, scope).run();
  scope.known->keep(text, result);
  return result.value;
}

bool is_grammar_word(std::string_view word) {
  return word == "exp" || word == "log" || word == "sqrt" || word == "inf";
}

Surd as_surd(const ExpressionValue& value) {
  if (value.infinite) throw NumberError("expected a finite number, found inf");
  if (!value.under_log.is_one()) {
    throw NumberError("a logarithm cannot be represented exactly as a number; only a level may hold one");
  }
  return value.plain;
}

Number as_number(const ExpressionValue& value) {
  const Surd surd = as_surd(value);
  if (!surd.is_number()) {
    throw NumberError(
        "a square root cannot be represented exactly as a number; only a level may hold one, under a log");
  }
  return surd.plain();
}

Level as_level(const ExpressionValue& value) {
  if (value.infinite) return Level::infinite();
  if (!value.plain.is_rational()) {
    throw NumberError("a level must be a rational number, a log(...), or a sum of these; " +
                      shortened(value.plain.to_string(), 120) +
                      " is neither, so its exponential cannot be represented exactly");
  }
  const Number& plain = value.plain.plain();
  if (plain > Number(1'000'000'000) || plain < Number(-1'000'000'000)) {
    throw LimitError("a level passes the limit of 1000000000");
  }
  const Surd exponential = Surd(Number::exp_of(plain)) * value.under_log;
  if (exponential < Surd(Number(1))) throw NumberError("the level is negative; a privacy level must be at least 0");
  return Level::of_surd(exponential);
}

}  // namespace oddsbound::exact

namespace oddsbound {

Number parse_number(std::string_view text) { return as_number(evaluate_expression(text)); }
Level parse_level(std::string_view text) { return as_level(evaluate_expression(text)); }

}  // namespace oddsbound
