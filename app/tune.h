// The largest (or smallest) value of a parameter for which claims hold: decided exactly at values of a grid, then at
// values between the last one at which they hold and the next one, and, where Z3 can, for all values in between.
#pragma once

#include <functional>
#include <string>

#include "reports/tune_result.h"
#include "specs/varied_spec.h"

namespace oddsbound::app {

/// Told before a value is decided: how many were, of about how many, and which is next.
using TuneProgress = std::function<void(std::size_t done, std::size_t of, const std::string& value)>;

/// The budget is for all values together; those that a limit or a stop leaves are undecided. Throws SpecError where the
/// spec with a value is none, and ModelError for a range or a claim that there is not.
TuneResult tune(const VariedSpec& spec, const TuneRequest& request, Budget& budget, const TuneProgress& progress = {});

}  // namespace oddsbound::app
