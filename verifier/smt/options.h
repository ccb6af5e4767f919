// How Z3 is asked: limits, where queries are written, who else is asked.
#pragma once

#include <string>

#include "verifier/smt/solver.h"

namespace oddsbound::smt {

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

}  // namespace oddsbound::smt
