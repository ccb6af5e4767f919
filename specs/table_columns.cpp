#include "specs/table_columns.h"

#include "specs/column_values.h"
#include "specs/csv.h"
#include "specs/reading.h"

namespace oddsbound::specs {

namespace {

void look_at(const std::string& cell, TableColumn& column, ColumnValues& values) {
  if (cell.empty()) {
    ++column.empty;
    return;
  }
  values.find_or_add(cell);
  column.says_missing = column.says_missing || cell == kEmptyCell;
}

}  // namespace

TableColumns read_table_columns(const std::string& file, Budget& budget) {
  const std::string text = read_file(file, budget.limits());
  TableColumns table;
  std::vector<ColumnValues> values;
  each_csv_row(file, text, budget, [&](CsvRow& row) {
    budget.tick();
    if (table.columns.empty()) {
      for (std::string& name : row.cells) table.columns.push_back({std::move(name)});
      values.assign(table.columns.size(), ColumnValues({}));
      return;
    }
    require_cells(file, row, table.columns.size());
    ++table.rows;
    for (std::size_t i = 0; i < row.cells.size(); ++i) look_at(row.cells[i], table.columns[i], values[i]);
  });
  if (table.columns.empty()) throw SpecError({file, 1, 0, ""}, "the file is empty, expected a header line");
  for (std::size_t i = 0; i < values.size(); ++i) table.columns[i].values = values[i].size();
  return table;
}

}  // namespace oddsbound::specs
