// Runs a request whose objective is a sum over columns.
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

/// Requires a goal in the request. Throws as run_design does.
DesignResult design_of_columns(const DesignFile& request, const std::string& folder, Budget& budget);

// Readable names for outputs that are columns, and for mechanisms made of them.

/// Returns a name for each column: "{a, c}", the rows with the larger of two values, or else "y3".
std::vector<std::string> names_of(const std::vector<Column>& columns, const std::vector<std::string>& rows);

/// Returns "k-randomized response", "subset selection (2 of 5)" or "a binary mechanism"; empty if none fits. All
/// weights must be positive.
std::string family_of_columns(const std::vector<Column>& columns, const std::vector<Number>& weights);

// Claims as limits on a mechanism to be designed or repaired.

struct ClaimLimits {
  std::vector<Limit> limits;  // sides are inputs
  std::vector<OverSetLimit> over_sets;

  bool empty() const { return limits.empty() && over_sets.empty(); }
};

/// Adds the limits of a claim (designs::limits_mechanisms). number: the index of the claim.
void add_limits(const Model& model, const specs::Claim& claim, std::size_t number, ClaimLimits& all);

}  // namespace oddsbound::designs
