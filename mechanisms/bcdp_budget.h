// How the BCDP paper's mean estimation splits its budget over coordinates (Theorem 2): what the finite and the
// continuous version of Mechanism 1 share.
#pragma once

#include <cstddef>
#include <vector>

#include "mechanisms/family.h"

namespace oddsbound::mechanisms {

struct BcdpBudget {
  std::vector<std::size_t> order;  // the coordinates by increasing delta
  std::vector<Level> steps;        // c_k - c_(k-1), k = 1..d: step k sees the coordinates order[k-1..]
};

/// The parameters of Theorem 2, equation (16), with c_d the capped delta_d where q is 0 (the printed quotient is
/// infinite there). Reads delta, epsilon, q, zeta. Throws ParameterError for values out of range, NumberError if
/// exp(zeta delta_1) is not in K.
BcdpBudget bcdp_budget(const Domain& domain, const Arguments& arguments);

/// The fields that bcdp_budget reads.
std::vector<Field> bcdp_budget_fields();

/// How Mechanism 1 averages what its steps say about the coordinate at a position of the order: weights w_k, k = 1 to
/// position + 1, which sum to 1; all zero if no step says anything about it.
std::vector<double> bcdp_weights(const BcdpBudget& budget, std::size_t position);

}  // namespace oddsbound::mechanisms
