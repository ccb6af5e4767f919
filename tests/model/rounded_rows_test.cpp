#include "verifier/model/rounded_rows.h"

#include <doctest/doctest.h>
#include <vector>

using namespace oddsbound;

namespace {

Number of_hundred(std::int64_t numerator) { return Number::ratio(numerator, 100); }

}  // namespace

TEST_CASE("the entries of a printed row have the bounds that its sum leaves") {
  RoundedRows rows{of_hundred(10), false, {}, {}};
  REQUIRE(rows.add(std::vector<Number>{of_hundred(85), Number(0), of_hundred(5)}));
  // 0.75 to 0.95, 0 to 0.1, 0 to 0.15: the first is 1 minus the others, which are at most 0.25.
  CHECK(rows.least[0] == std::vector<Number>{of_hundred(75), Number(0), Number(0)});
  CHECK(rows.most[0] == std::vector<Number>{of_hundred(95), of_hundred(10), of_hundred(15)});
  REQUIRE(rows.add(std::vector<Number>{of_hundred(60), of_hundred(60), of_hundred(5)}));
  CHECK(rows.least[1] == std::vector<Number>{of_hundred(50), of_hundred(50), Number(0)});
  CHECK(rows.most[1] == std::vector<Number>{of_hundred(50), of_hundred(50), Number(0)});
  for (const std::vector<Number>& row : rows.member()) CHECK(row[0] + row[1] + row[2] == Number(1));

  RoundedRows exact{of_hundred(10), true, {}, {}};
  REQUIRE(exact.add(std::vector<Number>{of_hundred(85), Number(0), of_hundred(5)}));
  CHECK(exact.least[0] == std::vector<Number>{of_hundred(85), Number(0), of_hundred(5)});
  CHECK(exact.most[0] == std::vector<Number>{of_hundred(95), Number(0), of_hundred(15)});
}

TEST_CASE("a printed row without a row of probabilities near it adds nothing") {
  RoundedRows rows{of_hundred(1), false, {}, {}};
  CHECK(!rows.add(std::vector<Number>{of_hundred(50), of_hundred(47)}));
  CHECK(!rows.add(std::vector<Number>{of_hundred(50), of_hundred(53)}));
  CHECK(!rows.add(std::vector<Number>{of_hundred(102), Number(0)}));
  CHECK(rows.least.empty());
  CHECK(rows.most.empty());
  CHECK(rows.add(std::vector<Number>{of_hundred(50), of_hundred(52)}));

  CHECK(smallest_tolerance(std::vector<Number>{of_hundred(50), of_hundred(47)}, false) == Number::ratio(3, 200));
  CHECK(smallest_tolerance(std::vector<Number>{of_hundred(50), of_hundred(53)}, false) == Number::ratio(3, 200));
  // The smaller entry falls to 0, the larger one to 1.
  CHECK(smallest_tolerance(std::vector<Number>{of_hundred(104), of_hundred(1)}, false) == of_hundred(4));
  CHECK(smallest_tolerance(std::vector<Number>{of_hundred(97), Number(0)}, true) == of_hundred(3));
  CHECK(smallest_tolerance(std::vector<Number>{of_hundred(97), Number(0)}, false) == Number::ratio(3, 200));
  CHECK(!smallest_tolerance(std::vector<Number>{Number(0), Number(0)}, true));
}
