// A designed mechanism, or one that was mended, as one HTML page: what is proven of it, and how it looks.
#pragma once

#include <string>

#include "design/result.h"
#include "reports/formats.h"
#include "reports/html/svg.h"

namespace oddsbound::designs {

/// Names from files are text wherever they stand. Where constraints are in conflict these are named.
std::string html_design(const DesignResult& result, const FormatOptions& options);
std::string html_repair(const RepairResult& result, const FormatOptions& options);

// Mechanisms as matrices of colours: how likely each output is, given what is read, and how that changed.

/// A fraction of more characters is rounded on the page.
inline constexpr std::size_t kLongestFraction = 160;

/// What of a matrix is drawn: outputs that are given at all and, of a large one, some rows and outputs.
struct DrawnPart {
  std::vector<std::size_t> rows, outputs;  // by number
  std::string words;                       // what is left out; empty: nothing
};

/// Of a large one the first rows and the outputs that are likeliest over these.
DrawnPart drawn_part(const ShownMatrix& matrix);
/// Of large ones with the same rows and outputs those that changed the most.
DrawnPart drawn_part(const ShownMatrix& before, const ShownMatrix& after);

/// darkest: the end of the scale.
Heat matrix_heat(const std::string& title, const ShownMatrix& matrix, const DrawnPart& part, double darkest);
/// After less before.
Heat change_heat(const std::string& title, const ShownMatrix& before, const ShownMatrix& after, const DrawnPart& part);

/// The largest entry of the part.
double largest_entry(const ShownMatrix& matrix, const DrawnPart& part);

}  // namespace oddsbound::designs
