// What collected outputs say about the inputs: unbiased estimates, exact, with how sure they are.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/namespaces.h"
#include "reports/estimate_result.h"
#include "specs/collected.h"
#include "specs/spec.h"

namespace oddsbound::app {

/// The coordinates of each estimate that is asked for. None: the shares of the inputs, if these are few enough and can
/// be told; else those of all coordinates that can be told, together if that are few, or one by one.
using Marginals = std::vector<std::vector<std::size_t>>;

/// Throws ModelError if there is no unbiased estimator of what is asked for, or of anything.
EstimateResult estimate(const Spec& spec, const CollectedOutputs& collected, Budget& budget,
                        const Marginals& marginals = {});

/// What `outputs` outputs will be worth, before any is collected: no estimates, only the error to expect.
EstimateResult plan(const Spec& spec, std::uint64_t outputs, Budget& budget, const Marginals& marginals = {});

/// Of continuous outputs: their averages, rounded.
EstimateResult estimate(const Spec& spec, const CollectedVectors& collected);

// The least value of a quadratic function in a ball, whether it is convex or not (the trust region problem; Moré and
// Sorensen, 1983). In floating point, by eigenvalues.

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

}  // namespace oddsbound::app
