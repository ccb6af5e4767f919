// Tables before a spec reads them: what separates the cells, the encoding, and the contents of the columns.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "oddsbound/options.h"
#include "verifier/exact/number.h"

namespace oddsbound::specs {

/// For a table whose reader knows what to expect: the first of ',', ';' and the tab under which `is_meant` accepts the
/// cells of the first row. ',' if none is accepted.
char separator_by(std::string_view text, Budget& budget,
                  const std::function<bool(const std::vector<std::string>&)>& is_meant);
/// The same for a header that has at least one of these columns.
char separator_with(std::string_view text, Budget& budget, const std::vector<std::string>& columns);
/// Records what separates the cells of a file that was read: the lock parses it again.
void note_separator(const std::string& path, char separator, std::vector<SourceFile>& files);

// Tables may hold any bytes, but names and values of a spec must be UTF-8.

/// Throws SpecError at the first byte that is not UTF-8. The message guesses the encoding, and the hint converts the
/// file.
void require_utf8(const std::string& file, std::string_view text);
/// "this is not UTF-8; convert it: iconv -f ..."; empty if the cell is UTF-8.
std::string hint_of_encoding(const std::string& file, std::string_view cell);

// Contents of the columns, independent of any spec

struct TableColumn {
  std::string name;
  std::size_t values = 0;                        // distinct values; blank cells do not count
  std::size_t blank = 0;                         // number of blank cells
  std::size_t first_blank = 0;                   // line of the first blank cell
  Number blank_people{};                         // people in the rows with a blank cell
  std::set<std::string> spaces{};                // distinct blank cells that are not empty
  bool says_missing = false;                     // some cell is literally kEmptyCell
  std::map<std::string, Number> like_missing{};  // cells that look missing ("NA"), with their people
  /// Values that differ only in the case of ASCII letters or in white space at their ends: "'Yes' and 'yes'". Not
  /// looked for in columns of more than 1,000 values.
  std::vector<std::string> near_equal{};
};

struct TableColumns {
  std::size_t rows = 0;  // without the header
  std::vector<TableColumn> columns;
};

/// Returns all columns of a CSV table with a header. The column `count`, if the table has it, gives the number of
/// people per row; otherwise each row is one person. Cells that are listed in `missing_cells` count as blank. Throws
/// SpecError, at the line, if the file is no CSV table.
TableColumns read_table_columns(const std::string& file, std::string_view text, char separator,
                                const std::string& count, const std::vector<std::string>& missing_cells,
                                Budget& budget);

}  // namespace oddsbound::specs
