// How the BCDP paper's mean estimation splits its budget over coordinates (Theorem 2): what the finite and the
// continuous version of Mechanism 1 share.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "mechanisms/bcdp_mean.h"
#include "mechanisms/family.h"

namespace oddsbound::mechanisms {

struct BcdpBudget {
  std::vector<std::size_t> order;  // the coordinates by increasing delta
  std::vector<Level> steps;        // c_k - c_(k-1), k = 1..d: step k sees the coordinates order[k-1..]
  std::size_t copies = 1;          // how often all steps are run; their levels are those of one run
  std::string note;                // which zeta was found to be best, if that was asked for
};

/// The parameters of Theorem 2, equation (16), with c_d the capped delta_d where q is 0 (the printed quotient is
/// infinite there). Of k copies each has a k-th of every step's level, or somewhat less: e^level is rounded down to a
/// multiple of 2^-20, since roots are not in K. Reads delta, epsilon, q, zeta, copies; for "zeta": "best", `variance`
/// says of which the error is least. Throws ParameterError for values out of range, NumberError if exp(zeta delta_1) is
/// not in K.
BcdpBudget bcdp_budget(const Domain& domain, const Arguments& arguments, StepVariance variance);

/// The fields that bcdp_budget reads.
std::vector<Field> bcdp_budget_fields();

/// The same budget in floating point: steps from min(delta_i, epsilon) in increasing order.
std::vector<double> bcdp_steps(std::span<const double> capped, double q, double zeta);

/// The levels of steps, rounded.
std::vector<double> rounded_steps(const BcdpBudget& budget);

}  // namespace oddsbound::mechanisms
