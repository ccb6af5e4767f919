// The largest lift of a whole input by an output of a product (lift.h), where inputs and outputs are too many to
// enumerate.
#pragma once

#include <functional>

#include "verifier/engine/measured_model.h"
#include "verifier/model/model.h"

namespace oddsbound::notions {

/// The input, and the level of its lift. The labels of the level are not set. upper: from the input to everyone,
/// otherwise from everyone to the input.
struct InputLift {
  GroupLevel level;
  InputRow input;
};

/// Returns the largest lift of an input with mass, or the largest inverse of one. It may be between two bounds.
/// enumerated: the same for a model whose inputs and outputs can be enumerated. Throws LimitError if inputs with mass,
/// or outputs of a part, are too many.
InputLift largest_lift_of_inputs(MeasuredModel& subject, bool upper,
                                 const std::function<InputLift(MeasuredModel&, bool upper)>& enumerated);

}  // namespace oddsbound::notions
