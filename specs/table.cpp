#include "specs/table.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/characters.h"
#include "specs/csv.h"
#include "specs/spec_error.h"

namespace oddsbound::specs {

char separator_by(std::string_view text, Budget& budget,
                  const std::function<bool(const std::vector<std::string>&)>& is_meant) {
  for (const char separator : {',', ';', '\t'}) {
    try {
      if (is_meant(first_csv_row("", text, budget, separator))) return separator;
    } catch (const SpecError&) {
      continue;  // the reader reports it under the separator that is returned
    }
  }
  return ',';
}

char separator_with(std::string_view text, Budget& budget, const std::vector<std::string>& columns) {
  return separator_by(text, budget, [&](const std::vector<std::string>& header) {
    return std::any_of(columns.begin(), columns.end(), [&](const std::string& name) {
      return std::find(header.begin(), header.end(), name) != header.end();
    });
  });
}

void note_separator(const std::string& path, char separator, std::vector<SourceFile>& files) {
  for (SourceFile& file : files) {
    if (file.file == path) file.separator = separator;
  }
}

namespace {

std::string conversion_from(const std::string& encoding, const std::string& file) {
  return "convert it: iconv -f " + encoding + " -t UTF-8 '" + printable(file, 200) + "' > utf-8.csv";
}

// The offset of the first byte that is not UTF-8; npos if there is none.
std::size_t first_not_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character character = first_character(text.substr(at));
    if (!character.valid) return at;
    at += character.bytes;
  }
  return std::string_view::npos;
}

// Windows-1252 has letters and quotes where Latin-1 has control characters.
const char* guessed_encoding(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return "UTF-16";
  const bool letters = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 && static_cast<unsigned char>(c) < 0xa0;
  });
  return letters ? "WINDOWS-1252" : "LATIN1";
}

}  // namespace

void require_utf8(const std::string& file, std::string_view text) {
  const std::size_t at = first_not_utf8(text);
  if (at == std::string_view::npos) return;
  const std::string_view before = text.substr(0, at);
  const std::size_t line_end = before.rfind('\n');
  const std::size_t column = line_end == std::string_view::npos ? at + 1 : at - line_end;
  const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const char* encoding = guessed_encoding(text);
  throw SpecError({file, line, column, ""},
                  "the byte " + printable(text.substr(at, 1)) + " is not UTF-8: the table may be in " + encoding,
                  conversion_from(encoding, file));
}

std::string hint_of_encoding(const std::string& file, std::string_view cell) {
  return first_not_utf8(cell) == std::string_view::npos
             ? ""
             : "this is not UTF-8; " + conversion_from(guessed_encoding(cell), file);
}

namespace {

// White space in UTF-8 and invisible characters such as zero width space, word joiner and byte order mark.
constexpr std::array<std::string_view, 31> kSpaces = {
    " ",      "\t",     "\n",     "\r",     "\v",     "\f",     "\u0085", "\u00a0", "\u1680", "\u2000", "\u2001",
    "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009", "\u200a", "\u200b", "\u2028",
    "\u2029", "\u202f", "\u205f", "\u2060", "\u3000", "\ufeff", "\u180e", "\u200c", "\u200d",
};

// How spreadsheets, R, pandas and surveys write missing cells.
constexpr std::array<std::string_view, 13> kLikeMissing = {"?",    "NA",   "N/A",  "n/a", "#N/A", "NaN", "nan",
                                                           "NULL", "null", "None", "-",   "--",   "."};

std::string_view without_space_at_ends(std::string_view text) {
  for (;;) {
    const std::size_t before = text.size();
    for (const std::string_view space : kSpaces) {
      if (text.starts_with(space)) text.remove_prefix(space.size());
      if (text.ends_with(space)) text.remove_suffix(space.size());
    }
    if (text.size() == before) return text;
  }
}

// True if the cell is empty or holds only white space or invisible characters.
bool is_blank(std::string_view cell) {
  while (!cell.empty()) {
    const auto* space =
        std::find_if(kSpaces.begin(), kSpaces.end(), [&](std::string_view one) { return cell.starts_with(one); });
    if (space == kSpaces.end()) return false;
    cell.remove_prefix(space->size());
  }
  return true;
}

std::vector<std::string> near_equal(const ColumnValues& values) {
  constexpr std::size_t kMostValues = 1000, kMostShown = 4;
  if (values.size() > kMostValues) return {};
  std::vector<std::uint32_t> places;
  std::map<std::string, std::vector<std::string>> alike;
  for (const std::string& value : values.sorted(places)) {
    std::string key(without_space_at_ends(value));
    for (char& c : key) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    std::vector<std::string>& same = alike[key];
    if (same.size() < kMostShown) same.push_back("'" + printable(value, 40) + "'");
  }
  std::vector<std::string> found;
  for (const auto& [key, same] : alike) {
    if (same.size() == 1) continue;
    std::string text = same.front();
    for (std::size_t i = 1; i < same.size(); ++i) text += (i + 1 == same.size() ? " and " : ", ") + same[i];
    found.push_back(std::move(text));
  }
  return found;
}

// Collects the TableColumns of one table, row by row.
class ColumnReader {
 public:
  ColumnReader(const std::string& file, const std::string& count, const std::vector<std::string>& missing_cells)
      : file_(file), count_(count), missing_cells_(missing_cells) {}

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
    for (std::size_t i = 0; i < values_.size(); ++i) {
      table_.columns[i].values = values_[i].size();
      table_.columns[i].near_equal = near_equal(values_[i]);
    }
    return std::move(table_);
  }

 private:
  Number people_of(const CsvRow& row) const {
    return count_column_ ? read_people(file_, row, *count_column_) : Number(1);
  }

  void look_at(const CsvRow& row, std::size_t i) {
    const std::string& cell = row.cells[i];
    TableColumn& column = table_.columns[i];
    const bool is_listed = std::find(missing_cells_.begin(), missing_cells_.end(), cell) != missing_cells_.end();
    if (is_listed || is_blank(cell)) {
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
  const std::vector<std::string>& missing_cells_;
  TableColumns table_;
  std::vector<ColumnValues> values_;
  std::optional<std::size_t> count_column_;
};

}  // namespace

TableColumns read_table_columns(const std::string& file, std::string_view text, char separator,
                                const std::string& count, const std::vector<std::string>& missing_cells,
                                Budget& budget) {
  ColumnReader reader(file, count, missing_cells);
  bool header = false;
  const auto read = [&](CsvRow& row) {
    budget.check_every();
    header ? reader.read_row(row) : reader.read_header(row);
    header = true;
  };
  each_csv_row(file, text, budget, read, separator);
  if (!header) throw SpecError({file, 1, 0, ""}, "the file is empty, expected a header line");
  return reader.take();
}

}  // namespace oddsbound::specs
