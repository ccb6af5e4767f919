// A designed or repaired mechanism as one HTML page: what is proven about it, and its matrix.
#pragma once

#include <string>

#include "design/result.h"
#include "reports/formats.h"
#include "reports/html/svg.h"

namespace oddsbound::designs {

/// Names from files are escaped everywhere. If constraints are in conflict, the page names them.
std::string html_design(const DesignResult& result, const RenderOptions& options);
std::string html_repair(const RepairResult& result, const RenderOptions& options);

// Mechanisms as heat maps: the probability of each output given each row, and its change.

/// A fraction with more characters is rounded on the page.
inline constexpr std::size_t kLongestFraction = 160;

/// The drawn part of a matrix: outputs with positive probability and, of a large matrix, some rows and outputs.
struct DrawnPart {
  std::vector<std::size_t> rows, outputs;  // by number
  std::string words;                       // what is left out; empty: nothing
};

/// Returns the first rows of a large matrix, and the outputs most likely in these.
DrawnPart drawn_part(const ShownMatrix& matrix);
/// Returns the rows and outputs that changed most, for large matrices with the same rows and outputs.
DrawnPart drawn_part(const ShownMatrix& before, const ShownMatrix& after);

/// darkest: the end of the color scale.
Heat matrix_heat(const std::string& title, const ShownMatrix& matrix, const DrawnPart& part, double darkest);
/// Draws after - before.
Heat change_heat(const std::string& title, const ShownMatrix& before, const ShownMatrix& after, const DrawnPart& part);

/// Returns the largest entry of the part.
double largest_entry(const ShownMatrix& matrix, const DrawnPart& part);

}  // namespace oddsbound::designs
