// Layout of plain text: cells of CSV tables (RFC 4180), and lines that fit a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace oddsbound::reports {

// Cells of CSV tables

/// Returns the cell in a form that programs read back: quoted if necessary.
std::string csv_cell(const std::string& text);
std::string csv_cell(double value);
/// Returns the cell for people who open the table in a spreadsheet. Spreadsheets run text that begins with =, +, - or
/// @ (also in other widths, or after blanks or hidden characters) as a formula, so ' is put before it. Hidden
/// characters become U+FFFD.
std::string csv_cell_for_people(const std::string& text);

// Lines that fit a terminal

/// Returns the terminal columns of a text, approximated by code points. Color sequences count 0.
std::size_t columns_of(std::string_view text);
/// Pads with spaces to at least this many columns.
std::string padded(const std::string& text, std::size_t columns);

/// Returns rows of cells as lines, indented by two columns, with two columns between cells. At least one row.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

/// The same in blocks, each with the first `fixed` columns and as many of the others as fit the width. Width 0: one
/// block.
std::string in_blocks(const std::vector<std::vector<std::string>>& rows, std::size_t fixed, std::size_t width);

/// Breaks a line at spaces into lines of at most `width` columns. All but the first are indented by `indent` spaces
/// (at most half of the width). A word that does not fit is not split. Width 0: no breaks.
std::string wrapped(std::string_view line, std::size_t width, std::size_t indent);

/// Wraps all lines of a text; continuation lines are indented two columns more than their first line.
std::string wrapped_lines(std::string_view text, std::size_t width);

}  // namespace oddsbound::reports
