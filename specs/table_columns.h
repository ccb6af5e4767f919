// What the columns of a table hold, before any spec says what becomes of them.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "specs/csv.h"
#include "verifier/exact/number.h"

namespace oddsbound::specs {

/// Whether a cell holds nothing that can be seen: no character, or only white space.
bool is_blank(std::string_view cell);

/// How many people a row stands for, by this cell of it. Throws SpecError unless it is a whole number.
Number read_people(const std::string& file, const CsvRow& row, std::size_t column);

struct TableColumn {
  std::string name;
  std::size_t values = 0;                        // different ones; blank cells are none
  std::size_t blank = 0;                         // cells
  std::size_t first_blank = 0;                   // line
  Number blank_people{};                         // that the rows of blank cells stand for
  std::set<std::string> spaces{};                // the different blank cells that are not empty
  bool says_missing = false;                     // some cell reads as empty ones are called (kEmptyCell)
  std::map<std::string, Number> like_missing{};  // cells as other programs write missing ones ("NA"), in people
};

struct TableColumns {
  std::size_t rows = 0;  // without the header
  std::vector<TableColumn> columns;
};

/// All columns of a CSV table with a header; `count` names the one that says for how many people a row stands, if the
/// table has it: else for one. Throws SpecError, at its line, for what is none.
TableColumns read_table_columns(const std::string& file, const std::string& count, Budget& budget);

}  // namespace oddsbound::specs
