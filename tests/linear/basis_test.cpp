// Bases of linear programs: the exact solution of their equations, within the time limit.

#include <doctest/doctest.h>
#include <chrono>
#include <random>

#include "base/budget.h"
#include "base/errors.h"
#include "verifier/linear/basis.h"

using namespace oddsbound;
using linear::Basis;
using linear::Equations;
using linear::point_of;

namespace {

Number random_integer(std::mt19937_64& random, int words) {
  Number value(1);
  const Number shift = Number(2).pow(62);
  for (int i = 0; i < words; ++i) value = value * shift + Number(static_cast<std::int64_t>(random() >> 2));
  return value;
}

struct Square {
  Equations equations;
  Basis basis;
  std::vector<Number> point;
};

// A dense system of `size` equations with entries of `words` words, and its solution.
Square random_square(std::size_t size, int words, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Square square;
  square.equations.columns.resize(size);
  square.equations.right.assign(size, Number(0));
  for (std::size_t j = 0; j < size; ++j) {
    square.basis.columns.push_back(j);
    square.basis.rows.push_back(j);
    square.point.push_back(Number(static_cast<std::int64_t>(random() % 7)) / Number(3));
    for (std::size_t i = 0; i < size; ++i) {
      Number entry = random_integer(random, words);
      square.equations.right[i] += entry * square.point[j];
      square.equations.columns[j].emplace_back(i, std::move(entry));
    }
  }
  return square;
}

}  // namespace

TEST_CASE("a basis has its point, whether it is solved for here or in a process of its own") {
  const Limits limits;
  base::Budget budget(limits);
  for (const auto& [size, words] : {std::pair<std::size_t, int>{3, 1}, {20, 2}, {90, 12}}) {
    const Square square = random_square(size, words, size);
    const auto point = point_of(square.equations, square.basis);
    REQUIRE(point);
    CHECK(*point == square.point);
  }
}

TEST_CASE("equations that contradict or follow from one another have no basis, in a process of its own either") {
  const Limits limits;
  base::Budget budget(limits);
  for (const auto& [size, words] : {std::pair<std::size_t, int>{3, 1}, {90, 12}}) {
    Square square = random_square(size, words, 7);
    for (auto& column : square.equations.columns) column[1].second = column[0].second;
    square.equations.right[1] = square.equations.right[0];
    CHECK_FALSE(point_of(square.equations, square.basis));
  }
}

TEST_CASE("solving for a basis ends where the time does") {
  const Square square = random_square(300, 60, 1);
  Limits limits;
  limits.max_seconds = 1;  // the solution takes about 10
  base::Budget budget(limits);
  const auto start = std::chrono::steady_clock::now();
  CHECK_THROWS_AS(point_of(square.equations, square.basis), base::LimitError);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  CHECK(seconds > 0.9);
  CHECK(seconds < 5);  // also on a busy machine
}

TEST_CASE("a dot product is the sum over all places, whatever is 0") {
  const Number half = Number::ratio(1, 2), root = Number::exp_of(half);
  CHECK(linear::dot(std::vector<Number>{}, std::vector<Number>{}) == Number(0));
  CHECK(linear::dot(std::vector<Number>{Number(2)}, std::vector<Number>{Number(-3)}) == Number(-6));
  CHECK(linear::dot(std::vector<Number>{half, Number(0), root}, std::vector<Number>{root, root, Number(4)}) ==
        Number::ratio(9, 2) * root);
}
