#include "specs/csv.h"

#include <algorithm>
#include <array>

#include "specs/reading.h"
#include "specs/spec_error.h"
#include "specs/table_text.h"

namespace oddsbound::specs {

namespace {

class CsvParser {
 public:
  CsvParser(const std::string& file, std::string_view text, Budget& budget, char separator)
      : file_(file), text_(text), budget_(budget), separator_(separator) {
    if (text_.starts_with("\xef\xbb\xbf")) position_ = 3;
  }

  void run(const std::function<void(CsvRow&)>& visit) {
    CsvRow row;
    while (position_ < text_.size()) {
      budget_.check_every();
      row.line = line_;
      row.cells.clear();
      const bool is_empty = text_[position_] == '\n' || text_[position_] == '\r';
      do {
        row.cells.push_back(cell());
      } while (accept(separator_));
      end_of_row();
      // A quoted empty cell is a cell: the row counts.
      if (!is_empty) visit(row);
    }
  }

  /// The cells of the first row that is not empty; none if there is no row.
  std::vector<std::string> first_row() {
    CsvRow row;
    while (position_ < text_.size() && (accept('\r') || accept('\n'))) {
    }
    if (position_ == text_.size()) return {};
    do {
      row.cells.push_back(cell());
    } while (accept(separator_));
    end_of_row();
    return std::move(row.cells);
  }

  /// Offsets of the carriage returns that belong to row ends.
  const std::vector<std::size_t>& returns() const { return returns_; }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw SpecError({file_, line_, 0, ""}, message); }

  [[noreturn]] void fail_for_nul() const {
    if (text_.starts_with("\xff\xfe") || text_.starts_with("\xfe\xff")) require_utf8(file_, text_);
    fail("a NUL byte");
  }

  bool accept(char c) {
    if (position_ == text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }

  void end_of_row() {
    if (accept('\r')) {
      if (position_ == text_.size() || text_[position_] != '\n') fail("a carriage return that no line feed follows");
      returns_.push_back(position_ - 1);
    }
    if (accept('\n')) {
      ++line_;
    } else if (position_ < text_.size()) {
      const std::string expected = separator_ == '\t' ? "a tab" : std::string("'") + separator_ + "'";
      fail("text after a closing quote, expected " + expected + " or the end of the line");
    }
  }

  std::string cell() {
    if (accept('"')) return quoted();
    const std::size_t begin = position_;
    while (position_ < text_.size() && text_[position_] != separator_ && text_[position_] != '\n' &&
           text_[position_] != '\r') {
      if (text_[position_] == '\0') fail_for_nul();
      ++position_;
    }
    return std::string(text_.substr(begin, position_ - begin));
  }

  // Called behind the opening quote.
  std::string quoted() {
    std::string result;
    const std::size_t opening = position_ - 1, line = line_;
    for (;;) {
      if (position_ == text_.size()) {
        const std::size_t end = text_.substr(0, opening).rfind('\n');
        throw SpecError({file_, line, end == std::string_view::npos ? opening + 1 : opening - end, ""},
                        "the quoted cell that begins here is never closed");
      }
      const char c = text_[position_++];
      if (c == '"' && !accept('"')) return result;
      if (c == '\n') ++line_;
      result += c;
    }
  }

  const std::string& file_;
  std::string_view text_;
  Budget& budget_;
  char separator_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  std::vector<std::size_t> returns_;
};

}  // namespace

void each_csv_row(const std::string& file, std::string_view text, Budget& budget,
                  const std::function<void(CsvRow&)>& visit, char separator) {
  CsvParser(file, text, budget, separator).run(visit);
}

std::vector<CsvRow> parse_csv(const std::string& file, std::string_view text, Budget& budget) {
  std::vector<CsvRow> rows;
  each_csv_row(file, text, budget, [&](CsvRow& row) { rows.push_back(std::move(row)); });
  return rows;
}

void require_cells(const std::string& file, const CsvRow& row, std::size_t header) {
  if (row.cells.size() == header) return;
  std::string hint;
  for (const auto& [separator, name] : {std::pair{';', "';'"}, std::pair{'\t', "a tab"}}) {
    const auto has = [c = separator](const std::string& cell) { return cell.find(c) != std::string::npos; };
    if (!hint.empty() || std::none_of(row.cells.begin(), row.cells.end(), has)) continue;
    hint = std::string("the line has ") + name + R"(: if cells are separated by it, say so ("separator" of a prior, )" +
           "--separator of 'oddsbound new')";
  }
  throw SpecError({file, row.line, 0, ""},
                  "the row has " + std::to_string(row.cells.size()) + (row.cells.size() == 1 ? " cell" : " cells") +
                      ", the header has " + std::to_string(header),
                  hint);
}

bool is_separator(std::string_view text) { return text == "," || text == ";" || text == "\t"; }

char separator_of(std::string_view text) {
  std::map<char, std::size_t> counts;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size() && (quoted || text[i] != '\n'); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (!quoted && is_separator(text.substr(i, 1))) ++counts[text[i]];
  }
  char most = ',';
  for (const auto& [separator, count] : counts) most = count > counts[most] ? separator : most;
  return most;
}

std::vector<std::string> first_csv_row(const std::string& file, std::string_view text, Budget& budget, char separator) {
  return CsvParser(file, text, budget, separator).first_row();
}

std::string csv_with_line_feeds(const std::string& file, std::string_view text, Budget& budget, char separator) {
  CsvParser parser(file, text, budget, separator);
  parser.run([](const CsvRow&) {});
  std::string result;
  std::size_t begin = 0;
  for (const std::size_t place : parser.returns()) {
    result.append(text, begin, place - begin);
    begin = place + 1;
  }
  return result.append(text, begin);
}

namespace {

// True for the canonical form of an integer ("7", "-12"), false for "07", "+7" or "7.0". Different canonical texts
// are different numbers.
bool is_plain_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative) text.remove_prefix(1);
  if (text.empty() || text.find_first_not_of("0123456789") != std::string_view::npos) return false;
  return text[0] != '0' || (text.size() == 1 && !negative);
}

bool integer_before(std::string_view a, std::string_view b) {
  const bool negative = a.starts_with('-');
  if (negative != b.starts_with('-')) return negative;
  if (negative) std::swap(a, b);
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

bool value_before(std::string_view a, std::string_view b) {
  const bool integer = is_plain_integer(a);
  if (integer != is_plain_integer(b)) return integer;
  return integer ? integer_before(a, b) : a < b;
}

}  // namespace

ColumnValues::ColumnValues(std::span<const std::string> declared) {
  for (const std::string& value : declared) find_or_add(value);
}

std::optional<std::uint32_t> ColumnValues::find(const std::string& value) const {
  const auto place = numbers_.find(value);
  return place == numbers_.end() ? std::nullopt : std::optional(place->second);
}

std::uint32_t ColumnValues::find_or_add(const std::string& value) {
  return numbers_.emplace(value, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

std::vector<std::string> ColumnValues::sorted(std::vector<std::uint32_t>& places) const {
  std::vector<const std::pair<const std::string, std::uint32_t>*> order;
  for (const auto& known : numbers_) order.push_back(&known);
  std::sort(order.begin(), order.end(), [](const auto* a, const auto* b) { return value_before(a->first, b->first); });
  places.resize(order.size());
  std::vector<std::string> sorted;
  for (const auto* known : order) {
    places[known->second] = static_cast<std::uint32_t>(sorted.size());
    sorted.push_back(known->first);
  }
  return sorted;
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

std::optional<std::string> TableUse::replaced(const std::string& cell) const {
  if (missing == Missing::kDrop || !(cell.empty() || missing_texts.contains(cell))) return std::nullopt;
  return missing == Missing::kAs ? as : cell.empty() ? kEmptyCell : cell;
}

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
