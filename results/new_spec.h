// A spec that is made from a table: what was asked for, and the text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "verifier/exact/number.h"

namespace oddsbound::results {

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

}  // namespace oddsbound::results
