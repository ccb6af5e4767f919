// Z3, asked in SMT-LIB 2: the text that is decided is the text that --emit-smt2 writes.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/child.h"
#include "verifier/exact/number.h"

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

}  // namespace oddsbound::smt
