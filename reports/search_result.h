// Results of a search for counterexamples, size by size; and of making a spec from a table.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/number.h"
#include "verifier/smt/properties.h"

namespace oddsbound::reports {

/// A spec file that states a part of a counterexample. The exact engine checked its claims.
struct FoundSpec {
  std::string name;  // of the file
  std::string text;  // not in the document: the file contains it
};

struct SearchStep {
  std::vector<std::uint64_t> coordinates;  // number of values of each
  std::uint64_t outputs = 0;
  Answer found = Answer::kOpen;  // a counterexample; kNo: proved that there is none
  std::string reason;            // for kOpen
  double seconds = 0;
};

struct SearchResult {
  std::string property;           // its name
  std::vector<SearchStep> steps;  // in order; only the last can be kFound
  std::vector<FoundSpec> specs;   // one, or the premise and the conclusion
  std::string shown;              // the counterexample as text; not in the document

  /// 0: no counterexample at any size; 1: found; 3: some size is undecided and nothing was found.
  int exit_status() const;
};

std::string to_json(const SearchResult& result);

std::string text_search(const SearchResult& result);

// A spec that is made from a table

struct NewSpec {
  std::string text;
  std::vector<std::string> notes;  // about the table and the claims
  std::size_t attributes = 0, released = 0, claims = 0;
};

}  // namespace oddsbound::reports
