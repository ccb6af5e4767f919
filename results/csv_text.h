// Cells of CSV (RFC 4180).
#pragma once

#include <string>

namespace oddsbound::results {

/// The cell as programs read it back: in quotes where it has to be.
std::string csv_cell(const std::string& text);
std::string csv_cell(double value);
/// The cell of a table that people open in spreadsheets, which take what begins with one of =, +, - and @ for a formula
/// to run, also in other widths and behind blanks or what is not seen: such a text has ' before it. Hidden characters
/// become U+FFFD.
std::string csv_cell_for_people(const std::string& text);

}  // namespace oddsbound::results
