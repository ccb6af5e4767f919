// The search for counterexamples to general properties: from small sizes to larger ones, and what it found as specs.
#pragma once

#include <string>
#include <vector>

#include "verifier/smt/options.h"
#include "verifier/smt/properties.h"

namespace oddsbound {

/// A spec file that states a part of a counterexample; its claims were checked by the exact engine.
struct FoundSpec {
  std::string name;  // of the file
  std::string text;
};

struct SearchStep {
  SearchSize size;
  enum class Outcome { kFound, kNone, kUndecided } outcome;
  std::string reason;  // of kUndecided
  double seconds = 0;
  std::string query;  // the last one that was asked
};

struct SearchResult {
  const Property* property;
  std::vector<SearchStep> steps;  // in order; the last one found something, or nothing was found
  std::vector<FoundSpec> specs;   // one, or the premise and the conclusion
  std::string shown;              // the counterexample in words

  /// 0: decided at all sizes; 3: some size is undecided and nothing was found.
  int exit_status() const;
};

/// Searches all sizes up to the largest, smallest first. Throws LimitError if a size is past what can be asked.
SearchResult search(const Property& property, const SearchSize& largest, const std::string& file_stem,
                    const SmtOptions& options);

std::string text_search(const SearchResult& result);
std::string json_search(const SearchResult& result);

}  // namespace oddsbound
