// Exhaustive checks of samplers, from spec files to a report; and sharded statistical audits.
#pragma once

#include <span>
#include <string>

#include "app/statistical.h"
#include "audits/exhaustive.h"
#include "reports/report.h"
#include "specs/spec.h"

namespace oddsbound::app {

/// Returns what was derived, with the names of the spec's inputs and outputs.
Derivation derivation_of(const Spec& spec, const ExhaustiveResult& check);

Report audit_files(std::span<const std::string> files, const ExhaustiveOptions& options, const Limits& limits);

// Sharded audits: the merged parts have the counts, findings and report of a single run

/// Runs one shard of an audit (request.options.shard of .shards) and returns its counts as JSON. Throws like
/// run_audit, and ModelError if the audit was interrupted or cannot be sharded (until, recorded runs). draw: a
/// caller's function that is audited instead of the request's sampler, under the request's name for it.
std::string run_part(const AuditRequest& request, const Limits& limits, const StatisticalProgress& progress = {},
                     BatchDraw draw = {});

/// Merges the parts of an audit. Throws SpecError for a file that is not a part, or if the files are not all parts of
/// one audit.
AuditResult merge_parts(std::span<const std::string> files, const Limits& limits);

}  // namespace oddsbound::app
