// Which outputs of a part can show the largest ratio, whatever the other parts answer.
#pragma once

#include <vector>

#include "base/budget.h"
#include "verifier/exact/number.h"

namespace oddsbound::ratios {

/// columns: [output][class], not negative, none of them 0 throughout. Leaves out outputs that are sums of some that
/// stay, each times something that is not negative: what the other parts answer gives every class weights p and q, and
/// (sum_j k_j p.c_j) / (sum_j k_j q.c_j) is at most the largest (p.c_j) / (q.c_j). What is tried are sums of as many
/// outputs as there are classes, for each class the one in which it has the largest share: of two classes exactly these
/// two are left.
std::vector<std::size_t> needed_outputs(const std::vector<std::vector<Number>>& columns, Budget& budget);

}  // namespace oddsbound::ratios
