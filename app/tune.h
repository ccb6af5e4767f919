// The largest (or smallest) value of a parameter for which claims hold. Decided exactly at the values of a grid, then
// by bisection between the last value at which they hold and the next one; and, if Z3 can, for all values in between.
#pragma once

#include <functional>
#include <string>

#include "app/tune_range.h"
#include "reports/tune_result.h"

namespace oddsbound::app {

/// Called before a value is decided, with the number of decided values, the approximate total, and the value.
using TuneProgress = std::function<void(std::size_t done, std::size_t of, const std::string& value)>;

/// Tunes within a budget for all values together; values left out by a limit or stop are undecided. Throws SpecError
/// if the spec is invalid at some value, and ModelError for a range or a claim that does not exist.
TuneResult tune(const VariedSpec& spec, const TuneRequest& request, Budget& budget, const TuneProgress& progress = {});

}  // namespace oddsbound::app
