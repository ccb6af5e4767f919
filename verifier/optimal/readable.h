// What a mechanism can be called, and one that loses as little with fewer outputs and fewer different entries.
#pragma once

#include "verifier/optimal/program.h"

namespace oddsbound::optimal {

/// The family that a mechanism is one of, by its outputs that are ever given: "k-randomized response", "subset
/// selection (2 of 5)"; empty: none that is known.
std::string family_of(const Rows& rows);

/// Outputs whose columns are multiples of one another tell the same: one of them is given for both where that breaks no
/// limit, exceeds no ceiling and loses nothing.
void merge_alike(const Wanted& wanted, Rows& rows);

/// How many outputs are ever given, and how many different entries there are.
std::pair<std::size_t, std::size_t> size_of(const Rows& rows);

}  // namespace oddsbound::optimal
