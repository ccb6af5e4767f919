// Cells of CSV (RFC 4180).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace oddsbound::reports {

/// The cell as programs read it back: in quotes where it has to be.
std::string csv_cell(const std::string& text);
std::string csv_cell(double value);
/// The cell of a table that people open in spreadsheets, which take what begins with one of =, +, - and @ for a formula
/// to run, also in other widths and behind blanks or what is not seen: such a text has ' before it. Hidden characters
/// become U+FFFD.
std::string csv_cell_for_people(const std::string& text);

// Lines that fit a terminal.

/// Columns of a terminal that a text takes: code points, near enough; sequences that set colors take none.
std::size_t columns_of(std::string_view text);
/// With spaces after it, so that it takes so many columns at least.
std::string padded(const std::string& text, std::size_t columns);

/// Rows of cells as lines, two columns in and two between columns as wide as what stands in them. At least one row.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

/// One line, without its end, cut at spaces into lines of at most `width` columns, of which all but the first begin
/// with `indent` spaces (at most half of the width). A word that does not fit stays whole. Width 0: the line as it is.
std::string wrapped(std::string_view line, std::size_t width, std::size_t indent);

/// All lines of a text, what is continued two columns further in than its line begins.
std::string wrapped_lines(std::string_view text, std::size_t width);

}  // namespace oddsbound::reports
