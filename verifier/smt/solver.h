// Z3 through SMT-LIB 2: the solver decides exactly the text that --emit-smt2 writes. Solvers, options, scripts.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/answer.h"
#include "base/budget.h"
#include "base/child.h"
#include "verifier/exact/number.h"
#include "verifier/exact/symbols.h"

namespace oddsbound::smt {

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

/// Decides a script: declarations and assertions in the logic that it sets.
using Solver = std::function<SolverAnswer(const std::string& script, const ChildLimits& limits)>;

/// Runs Z3 in a child process: the deadline and the memory limit hold in any case.
SolverAnswer solve_with_z3(const std::string& script, const ChildLimits& limits);

/// Asks another solver about a script in a file: returns "sat", "unsat", "unknown", or why there is no answer.
std::string ask_program(const std::string& program, const std::string& file, double seconds);

// A solver whose answers are outcomes of tasks (base/task.h): only the coordinator asks, once, and the answer is
// kept.

/// Returns a solver that caches its answers within the budget's scope; the solver itself if there is no scope. A
/// later run repeats queries whose answer was unknown. The budget must outlive the result.
Solver caching_solver(Solver solver, Budget& budget);

// Options: limits, output directory, second solver.

/// The engine that decides claims: exact, Z3 from the bare definition, or both, which must agree.
enum class Engine { kExact, kSmt, kBoth };

struct SmtOptions {
  double seconds = 60;  // per claim
  std::uint64_t memory_mb = 2048;
  std::uint64_t max_cells = 1 << 15;  // limit on inputs x (inputs + outputs) of a model for Z3
  std::string emit_directory;         // directory for the queries; empty: none
  std::string cross_check;            // program of a second solver for the same files; empty: none
  Solver solver = solve_with_z3;
};

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
