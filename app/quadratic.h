// The minimum of a quadratic function in a ball, a box or a simplex, convex or not. In floating point.
#pragma once

#include <cstddef>
#include <vector>

#include "base/budget.h"
#include "base/namespaces.h"

namespace oddsbound::app {

/// A symmetric matrix, row by row.
struct SymmetricMatrix {
  std::size_t size = 0;
  std::vector<double> entries{};
  double& at(std::size_t row, std::size_t column) { return entries[row * size + column]; }
  double at(std::size_t row, std::size_t column) const { return entries[row * size + column]; }
};

struct QuadraticMinimum {
  std::vector<double> place;
  double value = 0;
  double least_eigenvalue = 0;  // < 0: the function is not convex
  bool on_the_sphere = false;   // of a ball
  double above_minimum = 0;     // the value is at most this much above the minimum, up to rounding
};

/// Minimizes x^T A x / 2 - b^T x over all x of length at most `radius` > 0, by eigenvalues (the trust region problem;
/// Moré and Sorensen, 1983).
QuadraticMinimum minimum_in_ball(const SymmetricMatrix& a, const std::vector<double>& b, double radius);

/// The same over all x between `lower` and `upper`, coordinate by coordinate.
///
/// A minimum lies in the relative interior of a face where the function is strictly convex, or is a vertex: along
/// another direction it would not increase up to a smaller face. So all faces are tried for up to 10 coordinates. For
/// more, a convex function is minimized by projected gradients with momentum (Beck and Teboulle, 2009); the largest
/// decrease of its tangent plane bounds how far the value is above the minimum. Throws ModelError if such a function is
/// not convex.
QuadraticMinimum minimum_in_box(const SymmetricMatrix& a, const std::vector<double>& b,
                                const std::vector<double>& lower, const std::vector<double>& upper, Budget& budget);

/// The same over all x >= 0 with sum 1; all faces are tried for up to 16 coordinates.
QuadraticMinimum minimum_in_simplex(const SymmetricMatrix& a, const std::vector<double>& b, Budget& budget);

}  // namespace oddsbound::app
