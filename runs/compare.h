// Measures designs one by one, and puts what was measured side by side.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "results/comparison.h"
#include "specs/spec.h"

namespace oddsbound::runs {

/// Told before a file is measured: how many were, of how many, and which is next.
using CompareProgress = std::function<void(std::uint64_t done, std::uint64_t of, const std::string& file)>;

/// The files in order, each within the limits; what is wrong with one is an error of the comparison. samples: the
/// outputs from which is estimated.
DesignComparison compare(std::span<const std::string> files, std::uint64_t samples, const Limits& limits,
                         const CompareProgress& progress = {});
/// The same of specs that were read.
DesignComparison compare(std::span<const Spec> specs, std::uint64_t samples, const Limits& limits,
                         const CompareProgress& progress = {});

}  // namespace oddsbound::runs
