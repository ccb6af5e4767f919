// Extreme points of rows, and sums that are folded over them.

#include <doctest/doctest.h>
#include <algorithm>

#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_network.h"
#include "verifier/priors/multilinear.h"

using namespace oddsbound;
using namespace oddsbound::priors;
using namespace oddsbound::testing;

namespace {

Number tenths(std::int64_t count) { return Number::ratio(count, 10); }

std::vector<Point> points_of(const IntervalNode::Row& row) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < row.lower.size(); ++k) names.push_back(std::to_string(k));
  Budget budget;
  return *NetworkRows(Domain({{"x", names}}), {{0, {}, {row}}}, budget).all()[0];
}

}  // namespace

// Entries of at most 5/10: two are at that end, and the third is 0, which is allowed.
TEST_CASE("Extreme points of a row have all entries but one at an end") {
  const std::vector<Point> triangle = points_of({{tenths(0), tenths(0), tenths(0)}, {tenths(5), tenths(5), tenths(5)}});
  CHECK(triangle.size() == 3);
  for (const Point& point : triangle) CHECK(std::count(point.begin(), point.end(), tenths(5)) == 2);
  // With the first two entries at (1/10, 2/10), 7/10 remain, which is too much. The other three choices are points.
  const std::vector<Point> others = points_of({{tenths(1), tenths(2), tenths(0)}, {tenths(3), tenths(4), tenths(5)}});
  const std::vector<Point> expected{
      {tenths(1), tenths(4), tenths(5)}, {tenths(3), tenths(2), tenths(5)}, {tenths(3), tenths(4), tenths(3)}};
  CHECK(others == expected);
  CHECK(points_of({{tenths(3), tenths(7)}, {tenths(3), tenths(7)}}) == std::vector<Point>{{tenths(3), tenths(7)}});
}

// 2/7 in three entries and 1/7 in a fourth: 9 * (8 over 3) points.
TEST_CASE("A row of more extreme points than a search can use is refused") {
  CHECK_THROWS_AS(points_of({std::vector<Number>(9, Number(0)), std::vector<Number>(9, Number::ratio(2, 7))}),
                  LimitError);
}

TEST_CASE("A fold is the sum over inputs, whichever coordinate comes last") {
  Random random(45);
  for (int round = 0; round < effort(300, 40); ++round) {
    const Domain domain = random_domain(random);
    const auto nodes = random_intervals(random, domain, 0);
    Budget budget;
    const NetworkRows rows(domain, nodes, budget);
    std::vector<Point> points;
    for (const Points& of_row : rows.all()) points.push_back(of_row->front());
    const std::vector<Number> joint = joint_of(domain, random_rows_within(random, nodes));
    REQUIRE(rows.joint(points) == joint);
    const std::vector<Number> values = random_distribution(random, domain.inputs(), Entries::kRational);
    Number expected;
    for (std::size_t x = 0; x < values.size(); ++x) expected += joint[x] * values[x];
    for (std::size_t last = 0; last < domain.size(); ++last) {
      const Number folded = rows.fold(last, values, [&](std::size_t row, std::span<const Number> following) {
        Number sum;
        for (std::size_t k = 0; k < following.size(); ++k) sum += points[row][k] * following[k];
        return sum;
      });
      REQUIRE(folded == expected);
    }
  }
}
