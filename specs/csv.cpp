#include "specs/csv.h"

#include <algorithm>

#include "specs/reading.h"
#include "specs/spec_error.h"
#include "specs/table.h"

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

}  // namespace oddsbound::specs
