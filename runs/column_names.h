// Readable names for outputs that were found as columns, and for mechanisms made of them.
#pragma once

#include <string>
#include <vector>

#include "verifier/optimal/columns.h"

namespace oddsbound::runs {

/// A name for each column: of those with two values the rows of the larger one, "{a, c}"; else "y3".
std::vector<std::string> names_of(const std::vector<optimal::Column>& columns, const std::vector<std::string>& rows);

/// "subset selection (2 of 5)", "a binary mechanism"; empty where it is neither. All weights are positive.
std::string family_of_columns(const std::vector<optimal::Column>& columns, const std::vector<Number>& weights);

}  // namespace oddsbound::runs
