// Making the mechanism that a request asks for where what it wants adds up over columns.
#pragma once

#include <string>
#include <vector>

#include "base/budget.h"
#include "design/columns.h"
#include "design/over_sets.h"
#include "design/result.h"
#include "design/spec.h"
#include "specs/spec.h"

namespace oddsbound::designs {

/// The request has a goal. Throws as run_design does.
designs::DesignResult design_of_columns(const designs::DesignFile& request, const std::string& folder, Budget& budget);

// Readable names for outputs that were found as columns, and for mechanisms made of them.

/// A name for each column: of those with two values the rows of the larger one, "{a, c}"; else "y3".
std::vector<std::string> names_of(const std::vector<designs::Column>& columns, const std::vector<std::string>& rows);

/// "subset selection (2 of 5)", "a binary mechanism"; empty where it is neither. All weights are positive.
std::string family_of_columns(const std::vector<designs::Column>& columns, const std::vector<Number>& weights);

// Claims as limits on a mechanism that is to be made, or mended.

struct ClaimLimits {
  std::vector<designs::Limit> limits;  // sides are inputs
  std::vector<designs::OverSetLimit> over_sets;

  bool empty() const { return limits.empty() && over_sets.empty(); }
};

/// Adds what a claim limits (designs::limits_mechanisms), which is the one of that number.
void add_limits(const Model& model, const specs::Claim& claim, std::size_t number, ClaimLimits& all);

}  // namespace oddsbound::designs
