#include "verifier/linear/tableau.h"

#include <doctest/doctest.h>

#include "verifier/linear/basis.h"

using namespace oddsbound;
using namespace oddsbound::linear;

namespace {

// Columns of a dense matrix.
Equations dense_equations(const std::vector<std::vector<int>>& rows, const std::vector<int>& right) {
  Equations equations;
  equations.columns.resize(rows[0].size());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      if (rows[r][c] != 0) equations.columns[c].emplace_back(r, Number(rows[r][c]));
    }
    equations.right.emplace_back(right[r]);
  }
  return equations;
}

// x + y + s = 4, x + 3y + t = 6.
Equations two_limits() { return dense_equations({{1, 1, 1, 0}, {1, 3, 0, 1}}, {4, 6}); }

}  // namespace

TEST_CASE("the simplex method finds the vertex of two limits, and duals that prove it") {
  Budget budget;
  Tableau tableau(two_limits(), budget);
  REQUIRE_FALSE(tableau.is_empty());
  const std::vector<Number> form{Number(1), Number(2), Number(0), Number(0)};  // x + 2y
  const std::vector<Number> duals = tableau.maximize_from(form);
  CHECK(tableau.vertex() == std::vector<Number>{Number(3), Number(1), Number(0), Number(0)});
  CHECK(duals == std::vector<Number>{Number::ratio(1, 2), Number::ratio(1, 2)});  // 4/2 + 6/2 = 5 = 3 + 2
}

TEST_CASE("the simplex method goes on from a vertex") {
  Budget budget;
  Tableau tableau(two_limits(), budget);
  tableau.move_to({2, 3});  // x = y = 0
  CHECK(tableau.vertex() == std::vector<Number>{Number(0), Number(0), Number(4), Number(6)});
  const std::vector<Number> duals =
      tableau.maximize_from(std::vector<Number>{Number(0), Number(1), Number(0), Number(0)});
  CHECK(tableau.vertex()[1] == Number(2));
  CHECK(duals == std::vector<Number>{Number(0), Number::ratio(1, 3)});
}

TEST_CASE("contradicting equations have no vertex, and repeated ones are dropped") {
  Budget budget;
  CHECK(Tableau(dense_equations({{1, 1}, {1, 1}}, {1, 2}), budget).is_empty());
  Tableau repeated(dense_equations({{1, 1}, {2, 2}}, {1, 2}), budget);
  REQUIRE_FALSE(repeated.is_empty());
  repeated.maximize_from(std::vector<Number>{Number(0), Number(1)});
  CHECK(repeated.vertex() == std::vector<Number>{Number(0), Number(1)});
}
