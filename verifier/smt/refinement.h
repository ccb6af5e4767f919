// Refinement: is a channel a post-processing of another one on the same inputs, so that whoever sees the other one's
// output knows at least as much, whatever is to be guessed? Blackwell, Sherman and Stein: it is, or there is a gain
// function on which it does better.
#pragma once

#include <optional>

#include "verifier/linear/basis.h"
#include "verifier/smt/solver.h"

namespace oddsbound::smt {

/// Whether a channel is a post-processing of another one, and what shows it.
struct Refinement {
  bool holds = false;
  std::vector<std::vector<Number>> kernel;  // if it holds: [output of the other][output]
  std::vector<std::vector<Number>> gain;    // if not: [input][output], what naming an output is worth
  Number value;                             // sum over x, z of gain[x][z] P(z given x)
  Number best;  // sum over outputs y of the other of max over z of sum over x of gain * P(y given x)
};

/// Rows are inputs: channel[x][z] = P(z given x), other[x][y] = P(y given x). Decides whether channel = other * kernel
/// for a stochastic matrix kernel, and returns what shows it, checked in exact arithmetic: the kernel, or a gain
/// function, gain[x][z], for which naming z is worth more to who sees z of the channel than anything is to who sees the
/// other one.
///
/// Numbers must be rational (NumberError). Throws LimitError if the solver reaches its limits.
Refinement decide_refinement(const Matrix& channel, const Matrix& other, const Solver& solver,
                             const ChildLimits& limits);

/// Satisfiable if and only if channel = other * kernel for a stochastic matrix kernel. Numbers must be rational.
Script kernel_script(const Matrix& channel, const Matrix& other);

}  // namespace oddsbound::smt
