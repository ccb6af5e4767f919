// Refinement: is a channel a post-processing of another one on the same inputs, so that whoever sees the other one's
// output knows at least as much, whatever is to be guessed? Blackwell, Sherman and Stein: it is, or there is a gain
// function on which it does better.
#pragma once

#include <optional>

#include "verifier/exact/linear.h"
#include "verifier/notions/notion.h"
#include "verifier/smt/solver.h"

namespace oddsbound {

/// Rows are inputs: channel[x][z] = P(z given x), other[x][y] = P(y given x). Decides whether channel = other * kernel
/// for a stochastic matrix kernel, and returns what shows it, checked in exact arithmetic: the kernel, or a gain
/// function, gain[x][z], for which naming z is worth more to who sees z of the channel than anything is to who sees the
/// other one.
///
/// Numbers must be rational (NumberError). Throws LimitError if the solver reaches its limits.
Refinement decide_refinement(const Matrix& channel, const Matrix& other, const Solver& solver,
                             const ChildLimits& limits);

Notion post_processing_notion();

}  // namespace oddsbound
