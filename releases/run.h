// Runs releases from tables: the ledger, the published numbers, and specs of a release.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "releases/result.h"

namespace oddsbound::releases {

/// Returns the cost of the release and, if no budget line is exceeded, the numbers published from the table.
/// Throws SpecError for errors in a file.
ReleaseResult run_release(const std::string& file, const ReleaseRequest& request, Budget& budget);

/// Returns a spec of the question from which of two tables a release is. Its claims are the ledger's loss for the
/// attributes in which the tables differ. folder: as below. Throws SpecError if the tables differ in more than one
/// record, or in none.
std::string release_spec_of_tables(const std::string& file, const std::vector<std::string>& tables,
                                   const std::string& folder, Budget& budget);

/// Returns a spec of the release on all tables of `records` records, with the ledger as claims. folder: the folder
/// of the spec, to which the name of the release's file is relative. window: replaces the windows of all steps.
std::string release_spec(const std::string& file, std::size_t records, std::optional<std::uint64_t> window,
                         const std::string& folder, Budget& budget);

}  // namespace oddsbound::releases
