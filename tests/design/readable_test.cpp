// Mechanisms of maximum utility: against the linear program over entries, and against theorems.

#include <doctest/doctest.h>
#include <cmath>
#include <random>

#include "design/program.h"
#include "design/readable.h"

using namespace oddsbound;
using namespace oddsbound::designs;

namespace {

std::vector<Limit> ldp_of(std::size_t rows, const Number& l) {
  Limit limit;
  limit.level = Level::of_exponential(l);
  for (std::uint64_t x = 0; x < rows; ++x) limit.sides.push_back({{x, Number(1)}});
  for (std::size_t a = 0; a < rows; ++a) {
    for (std::size_t b = 0; b < rows; ++b) {
      if (a != b) limit.pairs.emplace_back(a, b);
    }
  }
  return {limit};
}

struct Useful {
  std::vector<Column> used;
  MostUseful found;
};

Useful most_informative(std::size_t rows, const Number& l) {
  Budget budget{Limits{}};
  const std::vector<Column> columns = extreme_columns(cone_of(ldp_of(rows, l), {l}, rows), rows, budget);
  const Number each = Number::ratio(1, static_cast<std::int64_t>(rows));
  Useful useful{{}, most_useful(columns, {{}, std::vector<Number>(rows, each)}, budget)};
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (!useful.found.weights[j].is_zero()) useful.used.push_back(columns[j]);
  }
  return useful;
}

// Mutual information of subset selection of d of k under a uniform prior: an output's rows are k/(d L + k - d)
// times L or 1.
double information_of_subsets(double k, double d, double l) {
  const double total = d * l + k - d;
  return (d * l * std::log(k * l / total) + (k - d) * std::log(k / total)) / total;
}

}  // namespace

TEST_CASE("most is told by a binary mechanism at high privacy, and by k-randomized response at low privacy") {
  // Kairouz, Oh and Viswanath (2016), Theorems 5 and 6. With a uniform prior, only the number of larger values
  // matters.
  for (std::size_t k = 3; k <= 7; ++k) {
    for (const Number& l : {Number::ratio(21, 20), Number(2), Number(5), Number(100)}) {
      const Useful useful = most_informative(k, l);
      double best = 0;
      for (std::size_t d = 1; d < k; ++d) {
        best = std::max(best, information_of_subsets(static_cast<double>(k), static_cast<double>(d), l.approx()));
      }
      CHECK(useful.found.attained.approx() == doctest::Approx(best).epsilon(1e-12));
      CHECK(useful.found.attained <= useful.found.at_most);
      CHECK(useful.found.at_most.approx() - useful.found.attained.approx() <= 1e-14 * best);
    }
    const std::vector<Column> binary = most_informative(k, Number::ratio(21, 20)).used;
    const std::vector<Column> response = most_informative(k, Number(100)).used;
    if (k % 2 == 0) CHECK(binary.size() == 2);
    CHECK(response.size() == k);
  }
}

TEST_CASE("nothing is told at level 0") {
  const Useful useful = most_informative(3, Number(1));
  CHECK(useful.found.attained.is_zero());
  CHECK(useful.found.at_most.is_zero());
}

TEST_CASE("the best guesses from the most useful mechanism lose as much as the mechanism that guesses best") {
  std::mt19937 random(9);
  const auto draw = [&](unsigned most) { return static_cast<std::int64_t>(random() % most); };
  for (int round = 0; round < 40; ++round) {
    const std::size_t rows = 2 + random() % 4, guesses = 2 + random() % 3;
    DesignProblem wanted;
    wanted.rows = rows;
    wanted.outputs = guesses;
    wanted.limits = ldp_of(rows, Number(2 + draw(5)));
    wanted.bounds = {wanted.limits[0].level.exponential()};
    Utility utility{linear::Matrix(guesses, std::vector<Number>(rows)), {}};
    for (std::uint64_t x = 0; x < rows; ++x) {
      LossTerm charge{x, {}, Number(draw(5))};
      for (std::size_t y = 0; y < guesses; ++y) {
        charge.losses.emplace_back(draw(7));
        utility.forms[y][x] = -charge.weight * charge.losses[y];
      }
      wanted.charges.push_back(std::move(charge));
    }
    Budget budget{Limits{}};
    const std::vector<Column> columns = extreme_columns(cone_of(wanted.limits, wanted.bounds, rows), rows, budget);
    const MostUseful found = most_useful(columns, utility, budget);
    CHECK(found.attained == -least_loss(wanted, budget).value().loss);
    CHECK(found.at_most == found.attained);
    Number sum(0);
    for (const Number& price : found.duals) sum += price;
    CHECK(sum == found.at_most);
    for (const Column& column : columns) {
      for (const std::vector<Number>& form : utility.forms) CHECK(dot(found.duals, column) >= dot(form, column));
    }
  }
}
