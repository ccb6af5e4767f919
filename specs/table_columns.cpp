#include "specs/table_columns.h"

#include <algorithm>
#include <array>
#include <optional>

#include "specs/column_values.h"
#include "specs/reading.h"

namespace oddsbound::specs {

namespace {

// White space in UTF-8, and what is as invisible: zero width space, word joiner, byte order mark.
constexpr std::array<std::string_view, 31> kSpaces = {
    " ",      "\t",     "\n",     "\r",     "\v",     "\f",     "\u0085", "\u00a0", "\u1680", "\u2000", "\u2001",
    "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a", "\u200b", "\u2028",
    "\u2029", "\u202f", "\u205f", "\u2060", "\u3000", "\ufeff", "\u180e", "\u200c", "\u200d",
};

// As spreadsheets, R, pandas and surveys write cells that are missing.
constexpr std::array<std::string_view, 13> kLikeMissing = {"?",    "NA",   "N/A",  "n/a", "#N/A", "NaN", "nan",
                                                           "NULL", "null", "None", "-",   "--",   "."};

// Counts what stands out in the rows of one table.
class ColumnReader {
 public:
  ColumnReader(const std::string& file, const std::string& count) : file_(file), count_(count) {}

  void read_header(CsvRow& row) {
    for (std::string& name : row.cells) table_.columns.push_back({std::move(name)});
    values_.assign(table_.columns.size(), ColumnValues({}));
    for (std::size_t i = 0; i < table_.columns.size() && !count_.empty(); ++i) {
      if (table_.columns[i].name == count_) count_column_ = i;
    }
  }

  void read_row(const CsvRow& row) {
    require_cells(file_, row, table_.columns.size());
    ++table_.rows;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      if (count_column_ != i) look_at(row, i);
    }
  }

  TableColumns take() {
    for (std::size_t i = 0; i < values_.size(); ++i) table_.columns[i].values = values_[i].size();
    return std::move(table_);
  }

 private:
  Number people_of(const CsvRow& row) const {
    return count_column_ ? read_people(file_, row, *count_column_) : Number(1);
  }

  void look_at(const CsvRow& row, std::size_t i) {
    const std::string& cell = row.cells[i];
    TableColumn& column = table_.columns[i];
    if (is_blank(cell)) {
      if (column.blank++ == 0) column.first_blank = row.line;
      column.blank_people += people_of(row);
      if (!cell.empty()) column.spaces.insert(cell);
      return;
    }
    values_[i].find_or_add(cell);
    column.says_missing = column.says_missing || cell == kEmptyCell;
    if (std::find(kLikeMissing.begin(), kLikeMissing.end(), cell) != kLikeMissing.end()) {
      column.like_missing[cell] += people_of(row);
    }
  }

  const std::string& file_;
  const std::string& count_;
  TableColumns table_;
  std::vector<ColumnValues> values_;
  std::optional<std::size_t> count_column_;
};

}  // namespace

bool is_blank(std::string_view cell) {
  while (!cell.empty()) {
    const auto* space =
        std::find_if(kSpaces.begin(), kSpaces.end(), [&](std::string_view one) { return cell.starts_with(one); });
    if (space == kSpaces.end()) return false;
    cell.remove_prefix(space->size());
  }
  return true;
}

Number read_people(const std::string& file, const CsvRow& row, std::size_t column) {
  const std::string& cell = row.cells[column];
  const bool digits =
      !cell.empty() && cell.size() <= kMaxLiteralDigits && cell.find_first_not_of("0123456789") == std::string::npos;
  if (digits) return Number::from_digits(cell, "1");
  throw SpecError({file, row.line, 0, ""}, "found '" + printable(cell) + "', expected a count: a non-negative integer");
}

TableColumns read_table_columns(const std::string& file, const std::string& count, Budget& budget) {
  const std::string text = read_file(file, budget.limits());
  ColumnReader reader(file, count);
  bool header = false;
  each_csv_row(file, text, budget, [&](CsvRow& row) {
    budget.tick();
    header ? reader.read_row(row) : reader.read_header(row);
    header = true;
  });
  if (!header) throw SpecError({file, 1, 0, ""}, "the file is empty, expected a header line");
  return reader.take();
}

}  // namespace oddsbound::specs
