// Measures designs one by one, and compares the results.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "oddsbound/options.h"
#include "reports/comparison.h"
#include "specs/spec.h"

namespace oddsbound::app {

/// Compares the files in order, each within the limits. An error in a file is an error of the comparison. samples:
/// the number of outputs behind each estimate. The progress is called before a file is measured, with the number of
/// finished files.
DesignComparison compare(std::span<const std::string> files, std::uint64_t samples = 1000, const Context& context = {});
/// The same for specs that were read.
DesignComparison compare(std::span<const Spec> specs, std::uint64_t samples = 1000, const Context& context = {});

// Errors of estimates of the inputs' distribution from a design's outputs

inline constexpr const char* kErrorOfShares = "error of shares";
inline constexpr const char* kErrorOfMeans = "error of means";

/// Mean squared errors, summed over the targets.
struct EstimationErrors {
  const char* quantity = kErrorOfShares;  // the quantity of `whole`
  ComparedCell whole;
  std::vector<ComparedCell> attributes;  // of the proportions of each coordinate's values
  std::uint64_t open = 0;                // errors that a limit left undecided
};

/// Errors of estimates from `samples` outputs, each computed within the limits.
EstimationErrors errors_of(const Spec& spec, std::uint64_t samples, const Limits& limits);

}  // namespace oddsbound::app
