// Mechanisms as matrices of colours: how likely each output is, given what is read, and how that changed.
#pragma once

#include "reports/html/drawing.h"
#include "results/design_result.h"

namespace oddsbound::reports {

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

}  // namespace oddsbound::reports
