// What a search for counterexamples found, size by size.
#pragma once

#include <string>
#include <vector>

#include "base/budget.h"
#include "specs/json_document.h"
#include "verifier/smt/properties.h"

namespace oddsbound::results {

/// A spec file that states a part of a counterexample; its claims were checked by the exact engine.
struct FoundSpec {
  std::string name;  // of the file
  std::string text;  // not part of a document: the file holds it
};

struct SearchStep {
  std::vector<std::uint64_t> coordinates;  // values of each
  std::uint64_t outputs = 0;
  enum class Outcome { kFound, kNone, kUndecided } outcome = Outcome::kUndecided;
  std::string reason;  // of kUndecided
  double seconds = 0;
};

struct SearchResult {
  std::string property;           // its name
  std::vector<SearchStep> steps;  // in order; the last one found something, or nothing was found
  std::vector<FoundSpec> specs;   // one, or the premise and the conclusion
  std::string shown;              // the counterexample in words; not part of a document

  /// 0: decided at all sizes; 3: some size is undecided and nothing was found.
  int exit_status() const;
};

std::string to_json(const SearchResult& result);
/// Throws SpecError for what is no such document.
SearchResult search_from_json(const JsonDocument& document, Budget& budget);

std::string text_search(const SearchResult& result);

}  // namespace oddsbound::results
