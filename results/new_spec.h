// A spec that is made from a table: what was asked for, and the text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "verifier/exact/number.h"

namespace oddsbound::results {

struct NewSpecRequest {
  std::string table;                   // a CSV file with a header
  std::string epsilon;                 // of each attribute that is released: a level above 0
  std::vector<std::string> hidden{};   // columns that are not released
  std::vector<std::string> columns{};  // the attributes, besides hidden ones; none: all columns
  std::string count{};                 // the column that says for how many people a row stands; none: for one
  bool drop_missing = false;           // rows with an empty cell are left out; else it is a value of its own
  std::size_t max_values = 100;        // that a column may have
  std::string file{};                  // where the spec will stand; none: in the current folder
  bool published = false;              // the table is: claims are exact
  Number headroom = Number(1) / Number(20);  // else by how much more claims about the table allow than what was measured
};

struct NewSpec {
  std::string text;
  std::vector<std::string> notes;  // what should be known of the table and of the claims
  std::size_t attributes = 0, released = 0, claims = 0;
};

}  // namespace oddsbound::results
