// What a search for counterexamples found, size by size.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/budget.h"
#include "specs/json_document.h"
#include "verifier/exact/number.h"
#include "verifier/smt/properties.h"

namespace oddsbound::reports {

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

// A spec that is made from a table: what was asked for, and the text.

/// What becomes of blank cells: they are refused, their rows are left out, or they are a value of their own.
enum class BlankCells { kRefused, kDropped, kValue };

struct NewSpecRequest {
  std::string table;                   // a CSV file with a header
  std::string epsilon;                 // of each attribute that is released: a level above 0
  std::vector<std::string> hidden{};   // columns that are not released
  std::vector<std::string> columns{};  // the attributes, besides hidden ones; none: all columns
  std::string count{};                 // the column that says for how many people a row stands; none: for one
  BlankCells blank = BlankCells::kRefused;
  std::size_t max_values = 100;  // that a column may have
  std::string file{};            // where the spec will stand; none: in the current folder
  bool published = false;        // the table is public: claims about it are exact
  /// Else by how much more claims about the table allow than it measures: 5 %.
  Number headroom = Number(1) / Number(20);
};

struct NewSpec {
  std::string text;
  std::vector<std::string> notes;  // what should be known of the table and of the claims
  std::size_t attributes = 0, released = 0, claims = 0;
};

}  // namespace oddsbound::reports
