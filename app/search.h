// The search for counterexamples to general properties: from small sizes to larger ones, and what it found as specs.
#pragma once

#include <functional>
#include <string>

#include "reports/search_result.h"
#include "verifier/smt/properties.h"
#include "verifier/smt/solver.h"

namespace oddsbound::app {

/// Told when a size is begun, with how many are.
using SearchProgress = std::function<void(std::size_t begun, std::size_t total, const std::string& size)>;

/// Searches all sizes up to the largest, smallest first; those that the budget's stop leaves are undecided. Throws
/// LimitError if a size is past what can be asked.
SearchResult search(const Property& property, const SearchSize& largest, const SmtOptions& options, Budget& budget,
                    const SearchProgress& progress = {});

}  // namespace oddsbound::app
