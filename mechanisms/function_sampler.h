// The sampler of a function of a mechanism's output.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "mechanisms/sampler.h"

namespace oddsbound::mechanisms {

/// Returns the output of the function for an output of the mechanism, as Channel::split returns it.
using OutputFunction = std::function<std::uint64_t(std::span<const std::uint64_t>)>;

/// Returns a sampler that draws an output of `inner` and applies the function. Independent parts are drawn one by one.
SamplerPtr function_sampler(Stage inner, OutputFunction function);

}  // namespace oddsbound::mechanisms
