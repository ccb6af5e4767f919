// Parameters of families with integer noise.
#pragma once

#include <string>

#include "mechanisms/random/distributions.h"
#include "verifier/model/definition.h"

namespace oddsbound::mechanisms {

/// Returns a positive rational parameter as a fraction of integers up to kMostOfRatio (2^20). Throws
/// ParameterError otherwise.
SmallRatio positive_ratio(const Arguments& arguments, const std::string& name);

}  // namespace oddsbound::mechanisms
