// A spec made from a table: its columns are attributes, each is released by randomized response, and what that says is
// measured and claimed.
#pragma once

#include "base/budget.h"
#include "reports/search_result.h"

namespace oddsbound::app {

/// The spec, with claims that hold: levels as they were measured where they can be written shortly, else rounded up.
/// Throws SpecError for what is wrong with the table or what is asked of it, and LimitError where nothing is known
/// about some level.
NewSpec new_spec(const NewSpecRequest& request, Budget& budget);

}  // namespace oddsbound::app
