#include "specs/csv.h"

#include "specs/spec_error.h"

namespace oddsbound::specs {

namespace {

class CsvParser {
 public:
  CsvParser(const std::string& file, std::string_view text, Budget& budget)
      : file_(file), text_(text), budget_(budget) {
    if (text_.starts_with("\xef\xbb\xbf")) position_ = 3;
  }

  void run(const std::function<void(CsvRow&)>& visit) {
    CsvRow row;
    while (position_ < text_.size()) {
      budget_.tick();
      row.line = line_;
      row.cells.clear();
      const bool is_empty = text_[position_] == '\n' || text_[position_] == '\r';
      do {
        row.cells.push_back(cell());
      } while (accept(','));
      end_of_row();
      // A quoted cell of nothing is a cell, and somebody's.
      if (!is_empty) visit(row);
    }
  }

  /// Where in the text a row's end begins with a carriage return.
  const std::vector<std::size_t>& returns() const { return returns_; }

 private:
  [[noreturn]] void fail(const std::string& message) const { throw SpecError({file_, line_, 0, ""}, message); }

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
      fail("text after a closing quote, expected ',' or the end of the line");
    }
  }

  std::string cell() {
    if (accept('"')) return quoted();
    const std::size_t begin = position_;
    while (position_ < text_.size() && text_[position_] != ',' && text_[position_] != '\n' &&
           text_[position_] != '\r') {
      if (text_[position_] == '\0') fail("a NUL byte");
      ++position_;
    }
    return std::string(text_.substr(begin, position_ - begin));
  }

  std::string quoted() {
    std::string result;
    for (;;) {
      if (position_ == text_.size()) fail("a quoted cell that is never closed");
      const char c = text_[position_++];
      if (c == '"' && !accept('"')) return result;
      if (c == '\n') ++line_;
      result += c;
    }
  }

  const std::string& file_;
  std::string_view text_;
  Budget& budget_;
  std::size_t position_ = 0;
  std::size_t line_ = 1;
  std::vector<std::size_t> returns_;
};

}  // namespace

void each_csv_row(const std::string& file, std::string_view text, Budget& budget,
                  const std::function<void(CsvRow&)>& visit) {
  CsvParser(file, text, budget).run(visit);
}

std::vector<CsvRow> parse_csv(const std::string& file, std::string_view text, Budget& budget) {
  std::vector<CsvRow> rows;
  each_csv_row(file, text, budget, [&](CsvRow& row) { rows.push_back(std::move(row)); });
  return rows;
}

void require_cells(const std::string& file, const CsvRow& row, std::size_t header) {
  if (row.cells.size() == header) return;
  throw SpecError({file, row.line, 0, ""}, "the row has " + std::to_string(row.cells.size()) +
                                               " cells, the header has " + std::to_string(header));
}

std::string csv_with_line_feeds(const std::string& file, std::string_view text, Budget& budget) {
  CsvParser parser(file, text, budget);
  parser.run([](const CsvRow&) {});
  std::string result;
  std::size_t begin = 0;
  for (const std::size_t place : parser.returns()) {
    result.append(text, begin, place - begin);
    begin = place + 1;
  }
  return result.append(text, begin);
}

}  // namespace oddsbound::specs
