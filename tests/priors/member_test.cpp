#include "verifier/priors/member.h"

#include <doctest/doctest.h>

using namespace oddsbound;
using namespace oddsbound::priors;

TEST_CASE("a member adds up masses by input, and leaves out inputs without mass") {
  MemberBuilder builder;
  builder.add(3, Number::ratio(1, 4));
  builder.add(1, Number::ratio(1, 2));
  builder.add(3, Number::ratio(1, 4));
  builder.add(2, Number(0));
  const Member member = builder.finish(false);
  CHECK_FALSE(member.attains);
  REQUIRE(member.rows.size() == 2);
  CHECK(member.rows[0] == std::pair<std::uint64_t, Number>(1, Number::ratio(1, 2)));
  CHECK(member.rows[1] == std::pair<std::uint64_t, Number>(3, Number::ratio(1, 2)));
  CHECK(weight_among(member.rows, 3) == Number::ratio(1, 2));
  CHECK(weight_among(member.rows, 2).is_zero());
  CHECK(find_row(member.rows, 4) == nullptr);
}

TEST_CASE("cells are filled in their order, and joints are linear between") {
  // Entries 1/10 and 1/2; the first cell has room 1/4, the second none, the third 1/2.
  const std::vector<Number> entries{Number::ratio(1, 10), Number::ratio(1, 3), Number::ratio(1, 2)};
  const std::vector<Number> lower{Number(0), Number::ratio(1, 8), Number(0)};
  const std::vector<Number> upper{Number::ratio(1, 4), Number::ratio(1, 8), Number::ratio(1, 2)};
  const Filling filling({0, 1, 2}, entries, lower, upper);
  CHECK(filling.least() == Number::ratio(1, 8));
  CHECK(filling.most() == Number::ratio(7, 8));
  CHECK(filling.joint_at(filling.least()) == Number::ratio(1, 24));
  CHECK(filling.joint_at(Number::ratio(1, 4)) == Number::ratio(1, 24) + Number::ratio(1, 80));
  CHECK(filling.joint_at(Number::ratio(3, 8)) == Number::ratio(1, 24) + Number::ratio(1, 40));
  CHECK(filling.joint_at(filling.most()) == Number::ratio(1, 24) + Number::ratio(1, 40) + Number::ratio(1, 4));
}
