// Makes a spec from a table: each column is an attribute, released by randomized response. The levels are measured
// and claimed.
#pragma once

#include "base/budget.h"
#include "reports/search_result.h"

namespace oddsbound::app {

/// Returns the spec, with claims that hold: measured levels if their text is short, otherwise rounded up. Throws
/// SpecError for errors in the table or the request, and LimitError if nothing is known about some level.
NewSpec new_spec(const NewSpecRequest& request, Budget& budget);

}  // namespace oddsbound::app
