// Symbols: real variables over ranges, which numbers may depend on. A statement about such a number holds for all
// values of its symbols at once.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "verifier/exact/number.h"

namespace oddsbound::exact {

/// A real variable. A missing bound is infinite; bounds are rational, and the range has more than one value.
struct Symbol {
  std::string name;
  std::optional<Number> low, high;
  bool low_open = false;
  bool high_open = false;

  /// Returns the range as text: "t > 1", "0 <= p <= 1/2".
  std::string range_text() const;
  bool contains(const Number& value) const;
};

/// coefficient * product of symbol^power * exp(exponent).
struct PolynomialTerm {
  Number coefficient;                 // rational
  std::vector<unsigned long> powers;  // per symbol; empty if there are none
  Number exponent;                    // rational
};
using Polynomial = std::vector<PolynomialTerm>;

/// The signs that a function of the symbols takes over their range. Per sign: values at which it occurs, or that
/// it occurs nowhere, or neither if undecided.
struct SignRange {
  enum Kind { kNegative, kZero, kPositive };
  std::array<std::optional<std::string>, 3> at;
  std::array<bool, 3> nowhere{};
};

/// The symbols of one spec, and the oracle that decides signs over their whole range. Shared by all numbers that
/// depend on them.
class SymbolRing : public std::enable_shared_from_this<SymbolRing> {
 public:
  /// Decides the signs of a polynomial.
  using Oracle = std::function<SignRange(const SymbolRing&, const Polynomial&)>;

  static std::shared_ptr<const SymbolRing> make(std::vector<Symbol> symbols, Oracle oracle);
  ~SymbolRing();
  SymbolRing(const SymbolRing&) = delete;
  SymbolRing& operator=(const SymbolRing&) = delete;

  std::span<const Symbol> symbols() const { return symbols_; }
  /// Returns the symbol as a number.
  Number value(std::size_t index) const;
  /// Returns the signs of a polynomial over the range. Cached by `text`: the oracle runs once per text.
  SignRange signs(const std::string& text, const Polynomial& polynomial) const;

  struct Context;  // symbol_quotient.h
  const Context& context() const { return *context_; }

 private:
  SymbolRing(std::vector<Symbol> symbols, Oracle oracle);
  std::vector<Symbol> symbols_;
  Oracle oracle_;
  std::unique_ptr<Context> context_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, SignRange> known_;
};

/// Returns the ring of the symbols that a number depends on; null if it depends on none.
const SymbolRing* ring_of(const Number& number);
/// Returns the number at these values of the symbols. Throws NumberError if it is undefined there.
Number substitute(const Number& number, std::span<const Number> values);
/// Returns the value of a polynomial at these values of the symbols.
Number evaluate(const Polynomial& polynomial, std::span<const Number> values);
/// Multiplies all numbers by one common positive factor, so that polynomials in the symbols and in exp(...)
/// remain. Throws NumberError if the sign of the common denominator cannot be decided.
std::vector<Polynomial> polynomial_forms(std::span<const Number> numbers);

}  // namespace oddsbound::exact
