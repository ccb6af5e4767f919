// Tables: a CSV parser (RFC 4180: quoted cells, doubled quotes, line breaks in quotes; LF or CRLF; cells may also be
// separated by ';' or tabs), the values of a column, and the handling of missing cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/number.h"

namespace oddsbound::specs {

struct CsvRow {
  std::size_t line;  // first line of the row, from 1
  std::vector<std::string> cells;
};

/// Calls `visit` for every row in turn, without empty lines; `visit` may move from the row. Throws SpecError with
/// file and line for an unclosed quote, text after a closing quote, a lone carriage return, or a NUL byte.
void each_csv_row(const std::string& file, std::string_view text, Budget& budget,
                  const std::function<void(CsvRow&)>& visit, char separator = ',');
std::vector<CsvRow> parse_csv(const std::string& file, std::string_view text, Budget& budget);

/// Returns the cells of the first row that is not empty; none if there is no row. Throws SpecError if it cannot be
/// read.
std::vector<std::string> first_csv_row(const std::string& file, std::string_view text, Budget& budget, char separator);

/// Throws SpecError unless the row has as many cells as the header.
void require_cells(const std::string& file, const CsvRow& row, std::size_t header);

/// Returns the same text with LF at the end of every row. Cells are unchanged. Throws like each_csv_row.
std::string csv_with_line_feeds(const std::string& file, std::string_view text, Budget& budget, char separator = ',');

/// True for the separators that tables may have: ',', ';' and the tab.
bool is_separator(std::string_view text);
/// Returns the one that occurs most often in the first row, outside quotes. ',' if none does, or as often.
char separator_of(std::string_view text);

// Values of a column

/// The value of an empty cell if missing cells are values (Missing::kValue).
inline const std::string kEmptyCell = "missing";

class ColumnValues {
 public:
  /// The values of one coordinate while its table is read. declared: the values in the order of the spec; empty if
  /// the column supplies them.
  explicit ColumnValues(std::span<const std::string> declared);

  std::optional<std::uint32_t> find(const std::string& value) const;
  /// Returns the index of the value. Appends the value if it is new.
  std::uint32_t find_or_add(const std::string& value);
  std::size_t size() const { return numbers_.size(); }

  /// Returns the values in their final order: plain integers first, by size, then the others, by bytes. Sets
  /// places[v] to the new index of the value with index v.
  std::vector<std::string> sorted(std::vector<std::uint32_t>& places) const;

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

/// Returns the number of people in the row, from this cell. Throws SpecError unless it is a whole
/// number.
Number read_people(const std::string& file, const CsvRow& row, std::size_t column);

// Use of a table with missing cells by a prior

/// The treatment of a missing cell. A cell is missing if it is not a declared value of its coordinate and is empty or
/// listed in `missing_cells`.
enum class Missing { kDrop, kAs, kValue };

/// Numbers of dropped rows and replaced cells. A row is a line of the table; with a count column it counts for that
/// many people.
struct TableUse {
  std::string file;
  Missing missing = Missing::kDrop;
  std::string as{};                                                    // kAs: the value that replaces missing cells
  std::set<std::string> missing_texts{};                               // cells that are missing besides empty ones
  std::uint64_t rows = 0;                                              // without the header
  std::uint64_t dropped = 0;                                           // rows dropped
  std::optional<Number> counted{};                                     // sum of the count column, if there is one
  std::optional<Number> counted_dropped{};                             // part of `counted` in dropped rows
  std::vector<std::pair<std::string, std::uint64_t>> missing_cells{};  // per coordinate that has any
  bool counts_withheld = false;  // confidential table: texts omit the numbers of rows and cells

  /// Returns the value of a cell that is no declared value; nullopt if it is not missing, or if its row is dropped.
  std::optional<std::string> replaced(const std::string& cell) const;
};

}  // namespace oddsbound::specs
