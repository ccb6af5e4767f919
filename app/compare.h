// Measures designs one by one, and puts what was measured side by side.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "reports/comparison.h"
#include "specs/spec.h"

namespace oddsbound::app {

/// Told before a file is measured: how many were, of how many, and which is next.
using CompareProgress = std::function<void(std::uint64_t done, std::uint64_t of, const std::string& file)>;

/// The files in order, each within the limits; what is wrong with one is an error of the comparison. samples: the
/// outputs from which is estimated.
DesignComparison compare(std::span<const std::string> files, std::uint64_t samples, const Limits& limits,
                         const CompareProgress& progress = {});
/// The same of specs that were read.
DesignComparison compare(std::span<const Spec> specs, std::uint64_t samples, const Limits& limits,
                         const CompareProgress& progress = {});

// How well the inputs' distribution can be estimated from a design's outputs.

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

}  // namespace oddsbound::app
