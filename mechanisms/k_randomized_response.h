// k-ary randomized response, for programs that use the library.
#pragma once

#include "mechanisms/mechanism.h"
#include "verifier/exact/level.h"

namespace oddsbound::mechanisms::k_randomized_response {

/// The true input with probability e^eps / (e^eps + k - 1), any other one with 1 / (e^eps + k - 1); an infinite epsilon
/// tells the input. Outputs are labelled as inputs are.
Mechanism mechanism(const Domain& domain, const Level& epsilon);

}  // namespace oddsbound::mechanisms::k_randomized_response
