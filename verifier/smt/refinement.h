// Refinement: is a channel a post-processing of another one on the same inputs? By Blackwell, Sherman and Stein,
// either it is, or there is a gain function on which the channel does better than the other. Solved by
// elimination; Z3 is used only if the kernel has free rows (linear programs in QF_LRA). The kernel or gain
// function is checked exactly.
#pragma once

#include <optional>

#include "verifier/linear/basis.h"
#include "verifier/smt/solver.h"

namespace oddsbound::smt {

/// Whether a channel is a post-processing of another one, with a proof.
struct Refinement {
  bool holds = false;
  std::vector<std::vector<Number>> kernel;  // if it holds: [output of the other][output]
  std::vector<std::vector<Number>> gain;    // if not: [input][output], the gain of naming an output
  Number value;                             // sum over x, z of gain[x][z] P(z given x)
  Number best;  // sum over outputs y of the other of max over z of sum over x of gain * P(y given x)
};

/// Decides whether channel = other * kernel for a stochastic matrix kernel, and returns a proof checked in exact
/// arithmetic. Rows are inputs: channel[x][z] = P(z given x), other[x][y] = P(y given x). The proof is the kernel,
/// or a gain function: naming z after output z of the channel has a larger expected gain than any strategy with
/// the other channel.
///
/// Numbers must be rational (NumberError). Throws LimitError if the solver reaches its limits.
Refinement decide_refinement(const Matrix& channel, const Matrix& other, const Solver& solver,
                             const ChildLimits& limits);

/// Satisfiable if and only if channel = other * kernel for a stochastic matrix kernel. Numbers must be rational.
Script kernel_script(const Matrix& channel, const Matrix& other);

}  // namespace oddsbound::smt
