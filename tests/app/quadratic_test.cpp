// Minima of quadratic functions in a box and in a simplex, against grids and against conditions of optimality.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "app/quadratic.h"
#include "base/errors.h"
#include "tests/support/effort.h"

using namespace oddsbound;
using oddsbound::app::minimum_in_ball;
using oddsbound::app::minimum_in_box;
using oddsbound::app::minimum_in_simplex;
using oddsbound::app::QuadraticMinimum;
using oddsbound::app::SymmetricMatrix;

namespace {

using Point = std::vector<double>;

double quadratic_at(const SymmetricMatrix& a, const Point& b, const Point& x) {
  double value = 0;
  for (std::size_t i = 0; i < a.size; ++i) {
    value -= b[i] * x[i];
    for (std::size_t j = 0; j < a.size; ++j) value += x[i] * a.at(i, j) * x[j] / 2;
  }
  return value;
}

// Convex: a sum of outer products. Otherwise entries of either sign.
SymmetricMatrix random_quadratic(std::mt19937_64& random, std::size_t size, bool convex) {
  std::normal_distribution<double> normal;
  SymmetricMatrix a{size, Point(size * size, 0.0)};
  if (!convex) {
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j <= i; ++j) a.at(i, j) = a.at(j, i) = normal(random);
    }
    return a;
  }
  for (std::size_t k = 0; k < size + 2; ++k) {
    Point v(size);
    for (double& one : v) one = normal(random);
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) a.at(i, j) += v[i] * v[j];
    }
  }
  return a;
}

Point random_place(std::mt19937_64& random, std::size_t size) {
  std::normal_distribution<double> normal;
  Point x(size);
  for (double& one : x) one = 2 * normal(random);
  return x;
}

}  // namespace

TEST_CASE("no point of a box has a smaller value than the minimum, convex or not") {
  std::mt19937_64 random(61);
  Budget budget;
  for (int round = 0; round < oddsbound::testing::effort(200, 60); ++round) {
    const SymmetricMatrix a = random_quadratic(random, 3, round % 2 == 0);
    const Point b = random_place(random, 3), first = random_place(random, 3), second = random_place(random, 3);
    Point lower(3), upper(3);
    for (std::size_t i = 0; i < 3; ++i) std::tie(lower[i], upper[i]) = std::minmax(first[i], second[i]);
    if (round % 5 == 0) upper[1] = lower[1];
    const QuadraticMinimum found = minimum_in_box(a, b, lower, upper, budget);
    CHECK(found.value == doctest::Approx(quadratic_at(a, b, found.place)));
    for (std::size_t i = 0; i < 3; ++i) CHECK((found.place[i] >= lower[i] && found.place[i] <= upper[i]));
    constexpr int kParts = 12;
    double least = found.value;
    for (int cell = 0; cell < (kParts + 1) * (kParts + 1) * (kParts + 1); ++cell) {
      const int place[] = {cell % (kParts + 1), cell / (kParts + 1) % (kParts + 1), cell / (kParts + 1) / (kParts + 1)};
      Point x(3);
      for (std::size_t i = 0; i < 3; ++i) x[i] = lower[i] + (upper[i] - lower[i]) * place[i] / kParts;
      least = std::min(least, quadratic_at(a, b, x));
    }
    CHECK(least >= found.value - 1e-9 * (1 + std::abs(found.value)));
  }
}

TEST_CASE("no distribution has a smaller value than the minimum in the simplex, convex or not") {
  std::mt19937_64 random(62);
  Budget budget;
  for (int round = 0; round < oddsbound::testing::effort(200, 60); ++round) {
    const SymmetricMatrix a = random_quadratic(random, 4, round % 2 == 0);
    const Point b = random_place(random, 4);
    const QuadraticMinimum found = minimum_in_simplex(a, b, budget);
    double sum = 0;
    for (const double one : found.place) {
      CHECK(one >= 0);
      sum += one;
    }
    CHECK(sum == doctest::Approx(1));
    CHECK(found.value == doctest::Approx(quadratic_at(a, b, found.place)));
    constexpr int kParts = 20;
    double least = found.value;
    for (int i = 0; i <= kParts; ++i) {
      for (int j = 0; i + j <= kParts; ++j) {
        for (int k = 0; i + j + k <= kParts; ++k) {
          const Point x{double(i) / kParts, double(j) / kParts, double(k) / kParts,
                        double(kParts - i - j - k) / kParts};
          least = std::min(least, quadratic_at(a, b, x));
        }
      }
    }
    CHECK(least >= found.value - 1e-9 * (1 + std::abs(found.value)));
  }
}

TEST_CASE("a box by hand: the corner, the edge and the inside") {
  Budget budget;
  const SymmetricMatrix identity{2, {1, 0, 0, 1}};
  const auto at = [&](double x, double y) { return minimum_in_box(identity, {x, y}, {-1, -1}, {1, 1}, budget); };
  CHECK(at(3, -2).place == Point{1, -1});
  CHECK(at(0.5, 7).place == Point{0.5, 1});
  CHECK(at(0.25, -0.5).place == Point{0.25, -0.5});
  // Not convex: x y is least at two corners.
  const QuadraticMinimum saddle = minimum_in_box({2, {0, 1, 1, 0}}, {0, 0}, {-1, -1}, {1, 2}, budget);
  CHECK(saddle.value == -2);
  CHECK(saddle.place == Point{-1, 2});
  CHECK(saddle.least_eigenvalue == doctest::Approx(-1));
}

TEST_CASE("many coordinates: gradients, with a bound on what is left; not for functions that are not convex") {
  std::mt19937_64 random(63);
  Budget budget;
  constexpr std::size_t kMany = 24;
  for (int round = 0; round < 10; ++round) {
    const SymmetricMatrix a = random_quadratic(random, kMany, true);
    const Point b = random_place(random, kMany), lower(kMany, -0.2), upper(kMany, 0.3);
    const QuadraticMinimum box = minimum_in_box(a, b, lower, upper, budget);
    CHECK(box.above_minimum <= 1e-8 * (1 + std::abs(box.value)));
    const QuadraticMinimum simplex = minimum_in_simplex(a, b, budget);
    CHECK(simplex.above_minimum <= 1e-8 * (1 + std::abs(simplex.value)));
    // Where a coordinate is inside its range, the slope is 0; at an end it does not point inward.
    for (std::size_t i = 0; i < kMany; ++i) {
      double slope = -b[i];
      for (std::size_t j = 0; j < kMany; ++j) slope += a.at(i, j) * box.place[j];
      if (box.place[i] > lower[i] + 1e-6) CHECK(slope <= 1e-3);
      if (box.place[i] < upper[i] - 1e-6) CHECK(slope >= -1e-3);
    }
  }
  // The same answer by faces and by gradients: coordinates beyond the tenth have no effect.
  const SymmetricMatrix small = random_quadratic(random, 4, true);
  const Point b = random_place(random, 4);
  SymmetricMatrix large{12, Point(144, 0.0)};
  Point wide(12, 0.0);
  for (std::size_t i = 0; i < 4; ++i) {
    wide[i] = b[i];
    for (std::size_t j = 0; j < 4; ++j) large.at(i, j) = small.at(i, j);
  }
  const double by_faces = minimum_in_box(small, b, Point(4, -1), Point(4, 1), budget).value;
  CHECK(minimum_in_box(large, wide, Point(12, -1), Point(12, 1), budget).value == doctest::Approx(by_faces));
  const SymmetricMatrix not_convex = random_quadratic(random, kMany, false);
  const Point zero(kMany, 0.0);
  CHECK_THROWS_AS(minimum_in_box(not_convex, zero, Point(kMany, -1), Point(kMany, 1), budget), ModelError);
  CHECK_THROWS_AS(minimum_in_simplex(not_convex, zero, budget), ModelError);
}
