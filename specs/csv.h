// CSV after RFC 4180: quoted cells, doubled quotes, line breaks in quotes, LF or CRLF.
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
  std::size_t line;  // where the row begins, from 1
  std::vector<std::string> cells;
};

/// All rows in turn, without empty lines; they may be moved from. Throws SpecError (in `file`, at its line) for an
/// unclosed quote, text after a closing quote, or a NUL byte.
void each_csv_row(const std::string& file, std::string_view text, Budget& budget,
                  const std::function<void(CsvRow&)>& visit);
std::vector<CsvRow> parse_csv(const std::string& file, std::string_view text, Budget& budget);

/// Throws SpecError unless the row has as many cells as the header.
void require_cells(const std::string& file, const CsvRow& row, std::size_t header);

/// The same text with LF at the end of every row; what stands in cells stays as it is. Throws as above.
std::string csv_with_line_feeds(const std::string& file, std::string_view text, Budget& budget);

// The values of one coordinate while a table is read: those that the spec lists, or whatever its column holds.

/// What an empty cell is called where missing cells are values.
inline const std::string kEmptyCell = "missing";

class ColumnValues {
 public:
  /// declared: in their order; none where the column gives them.
  explicit ColumnValues(const std::vector<std::string>& declared);

  std::optional<std::uint32_t> find(const std::string& value) const;
  /// The same, added at the end if it is new.
  std::uint32_t find_or_add(const std::string& value);
  std::size_t size() const { return numbers_.size(); }

  /// The values in the order of a coordinate that has them from its column: plain integers first, by their size, then
  /// all others, by their bytes. places[v] becomes where the value that was number v stands.
  std::vector<std::string> sorted(std::vector<std::uint32_t>& places) const;

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

// What the columns of a table hold, before any spec says what becomes of them.

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

// What a prior took from a table in which cells may be missing.

/// What becomes of a missing cell: one that is no value of its coordinate, and is empty or named as missing.
enum class Missing { kDrop, kAs, kValue };

/// How many rows were dropped, or cells replaced. A row is a line of the table; with a column of counts it stands for
/// as many as that says.
struct TableUse {
  std::string file;
  Missing missing = Missing::kDrop;
  std::string as{};                         // kAs: the value that missing cells count as
  std::uint64_t rows = 0;                   // without the header
  std::uint64_t dropped = 0;                // of these
  std::optional<Number> counted{};          // what the column of counts sums to, if there is one
  std::optional<Number> counted_dropped{};  // of that, what the dropped rows do
  std::vector<std::pair<std::string, std::uint64_t>> missing_cells{};  // by coordinate, where there are any
  bool counts_withheld = false;  // a table that is confidential: no words say how many rows and cells
};

}  // namespace oddsbound::specs
