// Budget split over coordinates in the BCDP paper's mean estimation (Theorem 2), shared by the finite and the
// continuous version of Mechanism 1.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "mechanisms/bcdp_mean.h"
#include "mechanisms/family.h"

namespace oddsbound::mechanisms {

struct BcdpBudget {
  std::vector<std::size_t> order;  // the coordinates by increasing c
  std::vector<Level> steps;        // c_k - c_(k-1), k = 1..d: step k sees the coordinates order[k-1..]
  std::size_t copies = 1;          // runs of all steps; `steps` are the levels of one run
  std::string note;                // the c_i; for "zeta": "best" also the zeta that was chosen
};

/// Returns the parameters of Theorem 2, equation (16). If q = 0, c_d is the capped delta_d (the printed quotient
/// is infinite there). With a q for some coordinates, those of the statement in bcdp_budget.cpp, of which Theorem 2 is
/// the case of one q. With k copies each step has at most a k-th of its level: e^level is rounded down to a
/// multiple of 2^-20, since roots are not in K. Reads delta, epsilon, q, zeta and copies; for "zeta": "best" the
/// error is computed with `variance`. Throws ParameterError for values out of range, also if exp(zeta delta_1) is
/// not in K.
BcdpBudget bcdp_budget(const Domain& domain, const Arguments& arguments, StepVariance variance);

/// Returns the mechanism of a budget whose steps all have level 0: one output.
Mechanism no_steps(const Domain& domain, Budget& budget);

/// Returns the fields that bcdp_budget reads.
std::vector<Field> bcdp_budget_fields();

/// The same budget in floating point. capped: min(delta_i, epsilon) in increasing order.
std::vector<double> bcdp_steps(std::span<const double> capped, double q, double zeta);

/// Returns the levels of the steps, rounded to doubles.
std::vector<double> rounded_steps(const BcdpBudget& budget);

}  // namespace oddsbound::mechanisms
