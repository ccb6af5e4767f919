#include "verifier/smt/script.h"

#include <fmt/format.h>

#include "base/errors.h"
#include "verifier/exact/rounding.h"

namespace oddsbound::smt {

namespace {

std::string joined(const char* operation, const std::vector<std::string>& terms, const char* empty) {
  if (terms.empty()) return empty;
  if (terms.size() == 1) return terms[0];
  std::string text = std::string("(") + operation;
  for (const std::string& term : terms) text += " " + term;
  return text + ")";
}

std::string bounds(const std::string& name, const Symbol& symbol) {
  std::vector<std::string> terms;
  if (symbol.low) terms.push_back((symbol.low_open ? "(> " : "(>= ") + name + " " + rational_term(*symbol.low) + ")");
  if (symbol.high)
    terms.push_back((symbol.high_open ? "(< " : "(<= ") + name + " " + rational_term(*symbol.high) + ")");
  return all_of(terms);
}

}  // namespace

std::string rational_term(const Number& number) {
  const bool negative = number.sign() < 0;
  std::string text = (negative ? -number : number).to_string();
  const std::size_t bar = text.find('/');
  // Long literals are split by the grammar of numbers; SMT-LIB wants their digits.
  if (text.find_first_not_of("0123456789/") != std::string::npos) {
    throw LimitError("a number is too long for a query to the solver");
  }
  if (bar != std::string::npos) text = "(/ " + text.substr(0, bar) + " " + text.substr(bar + 1) + ")";
  return negative ? "(- " + text + ")" : text;
}

std::string rational_term(const Number& number, const char* what) {
  if (number.is_rational()) return rational_term(number);
  throw LimitError(what + std::string(" put to Z3 for rational probabilities and levels, and ") + number.to_string() +
                   " is not one");
}

std::string sum_term(const std::vector<std::string>& terms) { return joined("+", terms, "0"); }
std::string all_of(const std::vector<std::string>& terms) { return joined("and", terms, "true"); }
std::string any_of(const std::vector<std::string>& terms) { return joined("or", terms, "false"); }

std::string comment(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 200)) result += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return result;
}

std::string symbol_name(std::size_t index) { return "sym_" + std::to_string(index); }

Script::Script(const SymbolRing* ring, unsigned bits) : ring_(ring), bits_(bits) {}

void Script::declare(const std::string& name, const char* sort, const std::string& meaning) {
  body_ += "(declare-const " + name + " " + sort + ")" + (meaning.empty() ? "" : " ; " + meaning) + "\n";
}

std::string Script::exp_name(const Number& exponent) {
  return exponents_.try_emplace(exponent, "exp_" + std::to_string(exponents_.size() + 1)).first->second;
}

std::string Script::polynomial(const Polynomial& polynomial) {
  std::vector<std::string> terms;
  for (const PolynomialTerm& term : polynomial) {
    std::vector<std::string> factors;
    for (std::size_t i = 0; i < term.powers.size(); ++i) factors.insert(factors.end(), term.powers[i], symbol_name(i));
    if (!term.exponent.is_zero()) factors.push_back(exp_name(term.exponent));
    if (!term.coefficient.is_one() || factors.empty()) factors.insert(factors.begin(), rational_term(term.coefficient));
    terms.push_back(joined("*", factors, "1"));
  }
  return sum_term(terms);
}

std::string Script::body() const {
  std::string text;
  const std::size_t symbols = ring_ == nullptr ? 0 : ring_->symbols().size();
  for (std::size_t i = 0; i < symbols; ++i) {
    const Symbol& symbol = ring_->symbols()[i];
    text += "(declare-const " + symbol_name(i) + " Real) ; the symbol " + comment(symbol.range_text()) + "\n";
    const std::string range = bounds(symbol_name(i), symbol);
    if (range != "true") text += "(assert " + range + ")\n";
  }
  for (const auto& [exponent, name] : exponents_) {
    const auto [low, high] = rational_bounds(Number::exp_of(exponent), bits_);
    text += fmt::format("(declare-const {} Real) ; exp({}), within bounds\n(assert (< {} {} {}))\n", name,
                        exponent.to_string(), rational_term(low), name, rational_term(high));
  }
  return text + body_;
}

std::string Script::text(const std::vector<std::string>& title) const {
  std::string text;
  for (const std::string& line : title) text += "; " + comment(line) + "\n";
  text += std::string("(set-logic ") + (is_linear() ? "QF_LRA" : "QF_NRA") + ")\n";
  text += "(set-info :status unknown)\n";
  return text + body() + "(check-sat)\n";
}

std::string with_status(std::string text, const std::string& status) {
  // At the start of a line: titles may say anything.
  const std::string unknown = "\n(set-info :status unknown)\n";
  return text.replace(text.find(unknown), unknown.size(), "\n(set-info :status " + status + ")\n");
}

}  // namespace oddsbound::smt
