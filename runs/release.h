// Releases from tables: what they cost, what they tell, and the spec of all that they may tell of small tables.
#pragma once

#include <optional>
#include <string>

#include "results/release_result.h"

namespace oddsbound::runs {

/// What the release costs, and if no line of its budget is exceeded, what it tells of the table. Throws SpecError for
/// what is wrong with a file.
results::ReleaseResult run_release(const std::string& file, const results::ReleaseRequest& request, Budget& budget);

/// A spec of the release on all tables of so many records, with the ledger as claims. folder: where it is to stand; the
/// release's file is named from there.
/// window: of all steps, in place of theirs.
std::string release_spec(const std::string& file, std::size_t records, std::optional<std::uint64_t> window,
                         const std::string& folder, Budget& budget);

}  // namespace oddsbound::runs
