// Exhaustive checks of samplers, from spec files to a report.
#pragma once

#include <span>
#include <string>

#include "audits/exhaustive.h"
#include "results/report.h"
#include "specs/spec.h"

namespace oddsbound::runs {

/// What was derived, with the names of the spec's inputs and outputs.
Derivation derivation_of(const Spec& spec, const ExhaustiveResult& check);

/// accept_exceptions: choices of which nothing could be shown do not count.
Report audit_files(std::span<const std::string> files, const ExhaustiveOptions& options, bool accept_exceptions,
                   const Limits& limits);

}  // namespace oddsbound::runs
