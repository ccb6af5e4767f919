// Z3, asked in SMT-LIB 2: the text that is decided is the text that --emit-smt2 writes.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/child.h"
#include "verifier/exact/number.h"
#include "verifier/exact/symbols.h"

namespace oddsbound::smt {

/// The value that a solver gives a variable: a truth value, or a rational enclosure (a point if it is rational).
struct SolverValue {
  bool truth = false;
  Number low, high;
};

struct SolverAnswer {
  enum class Status { kSat, kUnsat, kUnknown } status = Status::kUnknown;
  std::string reason;                        // of kUnknown
  std::map<std::string, SolverValue> model;  // of kSat; variables that are missing may have any value
  double seconds = 0;
};

/// Decides a script: declarations and assertions in the logic that it sets.
using Solver = std::function<SolverAnswer(const std::string& script, const ChildLimits& limits)>;

/// Z3 in a process of its own: the deadline and the memory limit hold whatever it does.
SolverAnswer solve_with_z3(const std::string& script, const ChildLimits& limits);

/// Another solver's opinion on a script in a file: "sat", "unsat", or why there is none.
std::string ask_program(const std::string& program, const std::string& file, double seconds);

// A solver whose answers are outcomes of tasks (base/task.h): asked once, by the process that leads, and kept.

/// The same solver within the budget's scope; itself where there is none. What it did not know is asked again by a
/// later run. The budget outlives it.
Solver caching_solver(Solver solver, Budget& budget);

// How Z3 is asked: limits, where queries are written, who else is asked.

/// Who decides claims: the exact engine, Z3 from the bare definition, or both, which must agree.
enum class Engine { kExact, kSmt, kBoth };

struct SmtOptions {
  double seconds = 60;  // for one claim
  std::uint64_t memory_mb = 2048;
  std::uint64_t max_cells = 1 << 15;  // inputs x (inputs + outputs) of a model that is put to the solver
  std::string emit_directory;         // where queries are written; empty: nowhere
  std::string cross_check;            // a second solver's program, asked on the same files; empty: none
  Solver solver = solve_with_z3;
};

// Exact numbers as terms of SMT-LIB 2, and scripts made of them.

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
