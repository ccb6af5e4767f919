// The search for counterexamples to general properties: from small sizes to larger ones, and what it found as specs.
#pragma once

#include <string>
#include <vector>

#include "results/search_result.h"
#include "verifier/smt/options.h"
#include "verifier/smt/properties.h"

namespace oddsbound::runs {

/// Searches all sizes up to the largest, smallest first. Throws LimitError if a size is past what can be asked.
SearchResult search(const Property& property, const SearchSize& largest, const std::string& file_stem,
                    const SmtOptions& options);

}  // namespace oddsbound::runs
