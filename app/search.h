// Searches for counterexamples to general properties, from small sizes to larger ones, and writes them as specs.
#pragma once

#include <functional>
#include <string>

#include "oddsbound/options.h"
#include "reports/search_result.h"
#include "verifier/smt/properties.h"

namespace oddsbound::app {

/// Called when a size begins, with the number of sizes begun.
using SearchProgress = std::function<void(std::size_t begun, std::size_t total, const std::string& size)>;

/// Searches all sizes up to the largest, smallest first. Sizes skipped by the budget's stop are undecided. Throws
/// LimitError if a size is too large to ask about, and ModelError for a level that the property has no use for.
SearchResult search(const Property& property, const SearchOptions& options, Budget& budget,
                    const SearchProgress& progress = {});

}  // namespace oddsbound::app
