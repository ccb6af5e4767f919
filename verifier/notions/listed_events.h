// The outputs of the event that shows a divergence between two inputs, by name.
#pragma once

#include <optional>

#include "verifier/engine/measured_model.h"
#include "verifier/model/model.h"

namespace oddsbound::notions {

/// Sets the outputs of the witness: those with P(y given from) > factor * P(y given to). No factor: those that are
/// possible given `from` and impossible given `to`. Throws LimitError past the budget.
void list_event(MeasuredModel& subject, const InputRow& from, const InputRow& to, const std::optional<Number>& factor,
                Witness& witness);

}  // namespace oddsbound::notions
