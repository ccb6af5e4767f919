// Parts of an audit, run by shards and merged: what one run would have counted, found and reported.
#pragma once

#include <span>
#include <string>

#include "runs/statistical.h"

namespace oddsbound::runs {

/// Runs one shard of an audit (request.options.shard of .shards) and writes what it counted as JSON. Throws like
/// run_audit, and ModelError if the audit was interrupted or cannot be run in shards (until, recorded runs). draw: a
/// caller's function that is audited in place of what the request names, by the request's name for it.
std::string run_part(const AuditRequest& request, const Limits& limits, const StatisticalProgress& progress = {},
                     BatchDraw draw = {});

/// The audit whose parts these files are. Throws SpecError for a file that is not a part, or a set of files that are
/// not all the parts of one audit.
AuditResult merge_parts(std::span<const std::string> files, const Limits& limits);

}  // namespace oddsbound::runs
