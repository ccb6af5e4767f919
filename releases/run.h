// Releases from tables: what they cost, what they tell, and the spec of all that they may tell of small tables.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "releases/result.h"

namespace oddsbound::releases {

/// What the release costs, and if no line of its budget is exceeded, what it tells of the table. Throws SpecError for
/// what is wrong with a file.
releases::ReleaseResult run_release(const std::string& file, const releases::ReleaseRequest& request, Budget& budget);

/// A spec of which of two tables a release is from, with the ledger's loss for the attributes in which they differ as
/// claims. folder: as below. Throws SpecError for tables that differ in more than one record, or in none.
std::string release_spec_of_tables(const std::string& file, const std::vector<std::string>& tables,
                                   const std::string& folder, Budget& budget);

/// A spec of the release on all tables of so many records, with the ledger as claims. folder: where it is to stand; the
/// release's file is named from there.
/// window: of all steps, in place of theirs.
std::string release_spec(const std::string& file, std::size_t records, std::optional<std::uint64_t> window,
                         const std::string& folder, Budget& budget);

}  // namespace oddsbound::releases
