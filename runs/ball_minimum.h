// The least value of a quadratic function in a ball, whether it is convex or not (the trust region problem; Moré and
// Sorensen, 1983). In floating point, by eigenvalues.
#pragma once

#include <cstddef>
#include <vector>

#include "base/namespaces.h"

namespace oddsbound::runs {

/// A symmetric matrix, row by row.
struct SymmetricMatrix {
  std::size_t size = 0;
  std::vector<double> entries{};
  double& at(std::size_t row, std::size_t column) { return entries[row * size + column]; }
  double at(std::size_t row, std::size_t column) const { return entries[row * size + column]; }
};

struct BallMinimum {
  std::vector<double> place;
  double value = 0;
  double least_eigenvalue = 0;  // below 0: the function is not convex
  bool on_the_sphere = false;
};

/// Where x^T A x / 2 - b^T x is least among all x of length at most `radius` > 0.
BallMinimum minimum_in_ball(const SymmetricMatrix& a, const std::vector<double>& b, double radius);

}  // namespace oddsbound::runs
