#include <doctest/doctest.h>
#include <cmath>

#include "app/quadratic.h"

using namespace oddsbound;
using oddsbound::app::minimum_in_ball;
using oddsbound::app::QuadraticMinimum;
using oddsbound::app::SymmetricMatrix;

namespace {

double value_at(const SymmetricMatrix& a, const std::vector<double>& b, double x, double y) {
  return (a.at(0, 0) * x * x + 2 * a.at(0, 1) * x * y + a.at(1, 1) * y * y) / 2 - b[0] * x - b[1] * y;
}

// Minimum over a grid of the disc in polar coordinates.
double least_on_grid(const SymmetricMatrix& a, const std::vector<double>& b, double radius) {
  double least = 0;
  for (int turn = 0; turn < 720; ++turn) {
    for (int part = 1; part <= 100; ++part) {
      const double angle = turn * 3.141592653589793 / 360;
      const double length = radius * part / 100;
      least = std::min(least, value_at(a, b, length * std::cos(angle), length * std::sin(angle)));
    }
  }
  return least;
}

}  // namespace

TEST_CASE("the minimum in a disc is below all values on a grid, and hardly so") {
  const std::vector<SymmetricMatrix> matrices = {
      {2, {2, 0.5, 0.5, 1}},    // convex
      {2, {1, 2, 2, 1}},        // eigenvalues -1, 3
      {2, {-3, 0.5, 0.5, -1}},  // concave
      {2, {1, 1, 1, 1}},        // singular
      {2, {-1, 0, 0, -1}},      // one eigenvalue, twice
      {2, {0, 0, 0, 0}},
  };
  const std::vector<std::vector<double>> slopes = {{0, 0}, {0.1, 0}, {0, -0.3}, {5, 2}, {1, 1}, {1, -1}};
  for (const SymmetricMatrix& a : matrices) {
    for (const std::vector<double>& b : slopes) {
      for (const double radius : {0.25, 1.0, 4.0}) {
        CAPTURE(a.entries);
        CAPTURE(b);
        CAPTURE(radius);
        const QuadraticMinimum found = minimum_in_ball(a, b, radius);
        const double x = found.place[0], y = found.place[1];
        CHECK(std::sqrt(x * x + y * y) <= radius * (1 + 1e-12));
        CHECK(found.value == doctest::Approx(value_at(a, b, x, y)));
        const double grid = least_on_grid(a, b, radius);
        CHECK(found.value <= grid + 1e-9);
        CHECK(found.value >= grid - 0.01 * (1 + std::abs(grid)));
      }
    }
  }
}

TEST_CASE("minima by hand: inside, on the sphere, and along the eigenvector that a slope says nothing of") {
  const QuadraticMinimum inside = minimum_in_ball({2, {2, 0, 0, 4}}, {1, 1}, 1);
  CHECK(inside.place[0] == doctest::Approx(0.5));
  CHECK(inside.place[1] == doctest::Approx(0.25));
  CHECK(inside.value == doctest::Approx(-0.375));
  CHECK_FALSE(inside.on_the_sphere);
  // (1 + m)^-1 (3, 0) has length 1 for m = 2.
  const QuadraticMinimum outside = minimum_in_ball({2, {1, 0, 0, 1}}, {3, 0}, 1);
  CHECK(outside.place[0] == doctest::Approx(1));
  CHECK(outside.place[1] == doctest::Approx(0));
  CHECK(outside.on_the_sphere);
  // -x^2/2 + y^2/2 - y: the multiplier 1 gives y = 1/2, and x may be either root of 4 - 1/4.
  const QuadraticMinimum hard = minimum_in_ball({2, {-1, 0, 0, 1}}, {0, 1}, 2);
  CHECK(hard.place[1] == doctest::Approx(0.5));
  CHECK(std::abs(hard.place[0]) == doctest::Approx(std::sqrt(3.75)));
  CHECK(hard.least_eigenvalue == doctest::Approx(-1));
  CHECK(hard.on_the_sphere);
  // The same with a slope too small to separate the multiplier from 1 in double.
  const QuadraticMinimum nearly = minimum_in_ball({2, {-1, 0, 0, 1}}, {-1e-18, 1}, 2);
  CHECK(nearly.place[0] == doctest::Approx(-std::sqrt(3.75)));
  CHECK(nearly.value == doctest::Approx(hard.value));
}
