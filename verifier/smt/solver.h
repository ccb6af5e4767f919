// Z3 through SMT-LIB 2: the solver decides exactly the text that --emit-smt2 writes. Solvers, options, scripts.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/child.h"
#include "oddsbound/options.h"
#include "verifier/exact/symbols.h"

namespace oddsbound {

/// A solver's value of a variable: a truth value, or a rational enclosure (a point if the value is rational).
struct SolverValue {
  bool truth = false;
  Number low, high;
};

struct SolverAnswer {
  Answer satisfiable = Answer::kOpen;
  std::string reason;                        // for kOpen
  std::map<std::string, SolverValue> model;  // for kYes; variables that are missing may have any value
  double seconds = 0;
};

}  // namespace oddsbound

namespace oddsbound::smt {

/// Runs Z3 in a child process: the deadline and the memory limit hold in any case.
SolverAnswer solve_with_z3(const std::string& script, const ChildLimits& limits);

/// Asks the solver of the options.
SolverAnswer ask_solver(const SmtOptions& options, const std::string& script, const ChildLimits& limits);

/// Asks another solver about a script in a file: returns "sat", "unsat", "unknown", or why there is no answer.
std::string ask_program(const std::string& program, const std::string& file, double seconds);

// A solver whose answers are outcomes of tasks (base/task.h): only the coordinator asks, once, and the answer is
// kept.

/// Returns the solver of the options, which caches its answers within the budget's scope if there is one. A later run
/// repeats queries whose answer was unknown. The budget must outlive the result.
Solver caching_solver(const SmtOptions& options, Budget& budget);

// Exact numbers as terms of SMT-LIB 2, and scripts.

/// Returns a rational as a term.
std::string rational_term(const Number& number);
/// The same. Throws LimitError for a number that is not rational; `what` is the subject of the message.
std::string rational_term(const Number& number, const char* what);
/// Returns the sum of any number of terms.
std::string sum_term(const std::vector<std::string>& terms);
std::string all_of(const std::vector<std::string>& terms);
std::string any_of(const std::vector<std::string>& terms);
/// Returns a text that is safe in a comment.
std::string comment(std::string_view text);

/// A script under construction. Numbers that depend on symbols or on exp(r) are polynomials in variables.
///
/// Every exp(r) that occurs is a variable between rational bounds, so without symbols all terms are linear
/// (QF_LRA). This loses nothing: for distinct r the exp(r) are linearly independent over the rationals
/// (Lindemann-Weierstrass), so equal numbers have equal coefficients, and sufficiently close bounds separate
/// different numbers.
class Script {
 public:
  /// bits: the precision of the bounds of exp. Symbols of the ring (which may be null) are declared with their
  /// ranges.
  Script(const SymbolRing* ring, unsigned bits);

  void note(const std::string& text) { body_ += "; " + text + "\n"; }
  void declare(const std::string& name, const char* sort, const std::string& meaning = "");
  void assert_term(const std::string& term) { body_ += "(assert " + term + ")\n"; }
  std::string polynomial(const Polynomial& polynomial);

  /// Allows products of variables.
  void make_nonlinear() { nonlinear_ = true; }
  bool is_linear() const { return !nonlinear_ && (ring_ == nullptr || ring_->symbols().empty()); }
  bool uses_exp() const { return !exponents_.empty(); }
  /// Returns the whole script. title: comment lines. The status is unknown.
  std::string text(const std::vector<std::string>& title) const;
  /// Returns the declarations and assertions, without title and status.
  std::string body() const;

 private:
  std::string exp_name(const Number& exponent);
  const SymbolRing* ring_;
  unsigned bits_;
  bool nonlinear_ = false;
  std::map<Number, std::string> exponents_;  // that occur, with their variables
  std::string body_;
};

/// Returns a script's text with another status: "sat", "unsat" or "unknown".
std::string with_status(std::string text, const std::string& status);

/// Returns the variable of a symbol.
std::string symbol_name(std::size_t index);

}  // namespace oddsbound::smt
