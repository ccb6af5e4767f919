// What the columns of a table hold, before any spec says what becomes of them.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/budget.h"

namespace oddsbound::specs {

struct TableColumn {
  std::string name;
  std::size_t values = 0;     // different ones; empty cells are none
  std::size_t empty = 0;      // cells
  bool says_missing = false;  // some cell reads as empty ones are called (kEmptyCell)
};

struct TableColumns {
  std::size_t rows = 0;  // without the header
  std::vector<TableColumn> columns;
};

/// All columns of a CSV table with a header. Throws SpecError, at its line, for what is none.
TableColumns read_table_columns(const std::string& file, Budget& budget);

}  // namespace oddsbound::specs
