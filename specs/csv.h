// CSV after RFC 4180: quoted cells, doubled quotes, line breaks in quotes, LF or CRLF.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"

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

}  // namespace oddsbound::specs
