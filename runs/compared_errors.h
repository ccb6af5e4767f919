// How well the inputs' distribution can be estimated from a design's outputs.
#pragma once

#include <cstdint>
#include <vector>

#include "results/comparison.h"
#include "specs/spec.h"

namespace oddsbound::runs {

inline constexpr const char* kErrorOfShares = "error of shares";
inline constexpr const char* kErrorOfMeans = "error of means";

/// Mean squared errors, summed over what is estimated.
struct EstimationErrors {
  const char* quantity = kErrorOfShares;  // what the whole is an error of
  ComparedCell whole;
  std::vector<ComparedCell> attributes;  // of the shares of each coordinate's values
  std::uint64_t open = 0;                // that a limit left undecided
};

/// Of estimates from so many outputs; each within the limits.
EstimationErrors errors_of(const Spec& spec, std::uint64_t samples, const Limits& limits);

}  // namespace oddsbound::runs
