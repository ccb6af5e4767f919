// Exhaustive checks of samplers, from spec files to a report.
#pragma once

#include <span>
#include <string>

#include "app/statistical.h"
#include "audits/exhaustive.h"
#include "reports/report.h"
#include "specs/spec.h"

namespace oddsbound::app {

/// What was derived, with the names of the spec's inputs and outputs.
Derivation derivation_of(const Spec& spec, const ExhaustiveResult& check);

/// accept_exceptions: choices of which nothing could be shown do not count.
Report audit_files(std::span<const std::string> files, const ExhaustiveOptions& options, bool accept_exceptions,
                   const Limits& limits);

// Parts of an audit, run by shards and merged: what one run would have counted, found and reported.

/// Runs one shard of an audit (request.options.shard of .shards) and writes what it counted as JSON. Throws like
/// run_audit, and ModelError if the audit was interrupted or cannot be run in shards (until, recorded runs). draw: a
/// caller's function that is audited in place of what the request names, by the request's name for it.
std::string run_part(const AuditRequest& request, const Limits& limits, const StatisticalProgress& progress = {},
                     BatchDraw draw = {});

/// The audit whose parts these files are. Throws SpecError for a file that is not a part, or a set of files that are
/// not all the parts of one audit.
AuditResult merge_parts(std::span<const std::string> files, const Limits& limits);

}  // namespace oddsbound::app
