// Consistent counts: the nearest point of a hull, and its distance from the truth.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>
#include <random>

#include "releases/hull.h"
#include "releases/release.h"
#include "tests/releases/release_models.h"
#include "tests/support/effort.h"

using namespace oddsbound;
using namespace oddsbound::mechanisms;
using oddsbound::testing::effort;
using oddsbound::testing::schema_of;

namespace {

double product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::vector<double> minus(std::vector<double> a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

}  // namespace

TEST_CASE("the nearest point of a triangle and of a square") {
  // Points (0,0), (1,0), (0,1), given as members by coordinate.
  const std::vector<std::vector<std::uint32_t>> triangle{{1}, {2}};
  const auto near = [](const std::vector<std::vector<std::uint32_t>>& members, std::size_t points,
                       std::vector<double> target) { return nearest_in_hull(members, points, target); };
  const HullPoint edge = near(triangle, 3, {1, 1});
  CHECK(edge.coordinates[0] == doctest::Approx(0.5));
  CHECK(edge.coordinates[1] == doctest::Approx(0.5));
  CHECK(edge.mixture.size() == 2);
  const HullPoint inside = near(triangle, 3, {0.2, 0.3});
  CHECK(inside.coordinates[0] == doctest::Approx(0.2));
  CHECK(inside.coordinates[1] == doctest::Approx(0.3));
  const HullPoint corner = near(triangle, 3, {-1, -2});
  CHECK(corner.mixture == std::vector<std::pair<std::uint32_t, double>>{{0, 1.0}});
  const HullPoint square = near({{1, 3}, {2, 3}}, 4, {2, 0.25});
  CHECK(square.coordinates[0] == doctest::Approx(1));
  CHECK(square.coordinates[1] == doctest::Approx(0.25));
}

TEST_CASE(
    "consistent counts are the nearest that some table may have, and no farther from the truth than noise took them") {
  std::mt19937_64 random(77);
  std::normal_distribution<double> normal;
  for (int round = 0; round < effort(300, 60, 15); ++round) {
    const std::size_t bits = 2 + random() % 5;
    const Domain schema = schema_of(std::vector<std::size_t>(bits, 2));
    std::vector<NamedPattern> queries;
    for (std::size_t i = 0; i < bits; ++i) {
      for (std::size_t j = 0; j < i; ++j) queries.push_back({"both", {{j, i}, {1, 1}}});
      for (NamedPattern& cell : cells_of(schema, {i})) queries.push_back(cell);
    }
    const auto members = members_of(schema, queries);
    const std::size_t points = schema.input_numbers();
    // The truth is a random mixture; the answers have noise of any size.
    std::vector<double> truth(queries.size()), noise(queries.size());
    for (int person = 0; person < 20; ++person) {
      const auto record = static_cast<std::uint32_t>(random() % points);
      for (std::size_t q = 0; q < queries.size(); ++q) {
        truth[q] += std::binary_search(members[q].begin(), members[q].end(), record) ? 0.05 : 0;
      }
    }
    const double size = std::exp(2 * normal(random) - 3);
    std::vector<double> answers = truth;
    for (std::size_t q = 0; q < queries.size(); ++q) answers[q] += noise[q] = size * normal(random);
    const HullPoint point = nearest_in_hull(members, points, answers);
    CHECK(point.gap < 1e-9);
    double sum = 0;
    std::vector<double> mixed(queries.size());
    for (const auto& [record, weight] : point.mixture) {
      CHECK(weight > 0);
      sum += weight;
      for (std::size_t q = 0; q < queries.size(); ++q) {
        mixed[q] += std::binary_search(members[q].begin(), members[q].end(), record) ? weight : 0;
      }
    }
    CHECK(sum == doctest::Approx(1));
    const std::vector<double> off = minus(mixed, point.coordinates);
    CHECK(product(off, off) < 1e-18);
    // Theorem 11's two inequalities, on every outcome.
    const std::vector<double> error = minus(point.coordinates, truth);
    constexpr double kRounding = 1e-9;
    CHECK(product(error, error) <= product(noise, noise) + kRounding);
    CHECK(product(error, error) <= product(error, noise) + kRounding);
    // No point of the hull lies on the other side of the separating plane.
    for (std::uint32_t record = 0; record < points; ++record) {
      std::vector<double> corner(queries.size());
      for (std::size_t q = 0; q < queries.size(); ++q) {
        corner[q] = std::binary_search(members[q].begin(), members[q].end(), record) ? 1 : 0;
      }
      CHECK(product(minus(point.coordinates, corner), minus(point.coordinates, answers)) < kRounding);
    }
  }
}

TEST_CASE("the mean error of consistent counts is within Theorem 11's bound, where that is below the noise's") {
  const std::size_t bits = 6;
  const Domain schema = schema_of(std::vector<std::size_t>(bits, 2));
  std::vector<NamedPattern> queries;
  for (std::size_t i = 0; i < bits; ++i) {
    for (std::size_t j = 0; j < i; ++j) queries.push_back({"both", {{j, i}, {1, 1}}});
  }
  const auto members = members_of(schema, queries);
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  const double diameter = std::sqrt(static_cast<double>(queries.size()));
  for (const double sigma : {0.05, 1.0, 5.0}) {
    const int runs = effort(200, 20);
    double mean = 0;
    for (int run = 0; run < runs; ++run) {
      std::vector<double> answers(queries.size());  // all true counts are 0
      for (double& answer : answers) answer = sigma * normal(random);
      const HullPoint point = nearest_in_hull(members, schema.input_numbers(), answers);
      mean += product(point.coordinates, point.coordinates) / runs;
    }
    const double of_noise = static_cast<double>(queries.size()) * sigma * sigma;
    const double of_hull = sigma * diameter * std::sqrt(2 * std::log(static_cast<double>(schema.input_numbers())));
    CHECK((of_hull < of_noise) == (sigma > 0.9));
    CHECK(mean <= std::min(of_noise, of_hull));
    CHECK(mean > 0);
  }
}
