// Exact numbers as terms of SMT-LIB 2, and scripts made of them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "verifier/exact/symbols.h"

namespace oddsbound::smt {

/// A rational as a term.
std::string rational_term(const Number& number);
/// The same. Throws LimitError for a number that is not rational: `what` is put to Z3 for rational ones only.
std::string rational_term(const Number& number, const char* what);
/// The sum of terms, whatever their number.
std::string sum_term(const std::vector<std::string>& terms);
std::string all_of(const std::vector<std::string>& terms);
std::string any_of(const std::vector<std::string>& terms);
/// A label as it may stand in a comment.
std::string comment(std::string_view text);

/// A script that grows: numbers that depend on symbols or on exp(r) are polynomials in variables.
///
/// Every exp(r) that occurs is a variable of its own between rational bounds, so that without symbols everything stays
/// linear (QF_LRA). That loses nothing that matters: for distinct r they are linearly independent over the rationals
/// (Lindemann-Weierstrass), so what is equal is equal in every coefficient, and what is not is told apart by bounds
/// that are close enough.
class Script {
 public:
  /// bits: how close the bounds of exp are. Symbols of the ring (or of none) are declared with their ranges.
  Script(const SymbolRing* ring, unsigned bits);

  void note(const std::string& text) { body_ += "; " + text + "\n"; }
  void declare(const std::string& name, const char* sort, const std::string& meaning = "");
  void assert_term(const std::string& term) { body_ += "(assert " + term + ")\n"; }
  std::string polynomial(const Polynomial& polynomial);

  /// For terms with products of variables.
  void make_nonlinear() { nonlinear_ = true; }
  bool is_linear() const { return !nonlinear_ && (ring_ == nullptr || ring_->symbols().empty()); }
  bool uses_exp() const { return !exponents_.empty(); }
  /// title: comment lines. The status is unknown.
  std::string text(const std::vector<std::string>& title) const;
  /// The declarations and assertions, without title and status.
  std::string body() const;

 private:
  std::string exp_name(const Number& exponent);
  const SymbolRing* ring_;
  unsigned bits_;
  bool nonlinear_ = false;
  std::map<Number, std::string> exponents_;  // that occur, with their variables
  std::string body_;
};

/// A script's text with another status: "sat", "unsat" or "unknown".
std::string with_status(std::string text, const std::string& status);

/// The variable of a symbol.
std::string symbol_name(std::size_t index);

}  // namespace oddsbound::smt
