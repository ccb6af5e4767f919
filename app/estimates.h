// Exact unbiased estimates about the inputs from collected outputs, with standard errors; and the minimum of a
// quadratic function in a ball.
#pragma once

#include <cstddef>
#include <vector>

#include "base/namespaces.h"
#include "reports/estimate_result.h"
#include "specs/collected.h"
#include "specs/spec.h"

namespace oddsbound::app {

/// The coordinates of each requested estimate. If empty: the proportions of the inputs, if those are few and
/// identifiable. Otherwise the proportions of all identifiable coordinates, jointly if that is small, or one by one.
using Marginals = std::vector<std::vector<std::size_t>>;

/// Throws ModelError if there is no unbiased estimator of the requested quantities, or of any.
EstimateResult estimate(const Spec& spec, const CollectedOutputs& collected, Budget& budget,
                        const Marginals& marginals = {});

/// Plans for `outputs` outputs before any is collected: no estimates, only their expected errors.
EstimateResult plan(const Spec& spec, std::uint64_t outputs, Budget& budget, const Marginals& marginals = {});

/// Plans for as few outputs as are proved to be enough for an expected total variation distance of at most `distance`,
/// a rational above 0. Throws ModelError if distances are not computed for this spec.
EstimateResult plan_for(const Spec& spec, const Number& distance, Budget& budget, const Marginals& marginals = {});

/// Averages of continuous outputs, rounded.
EstimateResult estimate(const Spec& spec, const CollectedVectors& collected);

// Minimum of a quadratic function in a ball, convex or not (the trust region problem; Moré and Sorensen, 1983). In
// floating point, by eigenvalues.

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
  double least_eigenvalue = 0;  // < 0: the function is not convex
  bool on_the_sphere = false;
};

/// Minimizes x^T A x / 2 - b^T x over all x of length at most `radius` > 0.
BallMinimum minimum_in_ball(const SymmetricMatrix& a, const std::vector<double>& b, double radius);

}  // namespace oddsbound::app
