#include <doctest/doctest.h>
#include <random>

#include "verifier/exact/expression.h"
#include "verifier/priors/line.h"

using namespace oddsbound;
using namespace oddsbound::priors;

namespace {

Number n(const char* text) { return parse_number(text); }

// Checks that no prior on the line has a larger quotient, and that some prior comes close to it.
void check_against_grid(const JointMasses& begin, const JointMasses& end) {
  const auto largest = largest_on_line(begin, end);
  constexpr int kSteps = 64;
  std::optional<Ratio> seen;
  for (int i = 0; i <= kSteps; ++i) {
    const auto ratio = ratio_of(between(begin, end, Number::ratio(i, kSteps)));
    if (ratio && (!seen || *ratio > *seen)) seen = ratio;
  }
  REQUIRE(largest.has_value() == seen.has_value());
  if (!seen) return;
  REQUIRE(*seen <= largest->ratio);
  const Number w = weight_that_shows(*largest, begin, end);
  REQUIRE(w.sign() >= 0);
  REQUIRE(w <= Number(1));
  const auto shown = ratio_of(between(begin, end, w));
  REQUIRE(shown);
  REQUIRE(*shown <= largest->ratio);
  if (largest->attained && largest->at.is_number()) {
    REQUIRE(*shown == largest->ratio);
  } else if (largest->ratio.infinite) {
    REQUIRE(shown->value > Surd(Number(1'000'000'000)));
  } else {
    REQUIRE(Ratio{shown->value * Surd(shown_within())} >= largest->ratio);
  }
}

// Checks that is_certainly_below is never wrong, even within 2^-60, and holds for bounds that are far above.
void check_bound(const JointMasses& begin, const JointMasses& end) {
  const auto largest = largest_on_line(begin, end);
  if (!largest) return;
  REQUIRE_FALSE(is_certainly_below(begin, end, largest->ratio));
  REQUIRE_FALSE(is_certainly_below(begin, end, {}));
  if (largest->ratio.infinite) {
    REQUIRE_FALSE(is_certainly_below(begin, end, Ratio::infinity()));
    return;
  }
  const Surd hair(Number(1) - Number(2).pow(-60)), far(Number(4));
  REQUIRE_FALSE(is_certainly_below(begin, end, {largest->ratio.value * hair}));
  const bool has_masses = !begin.mass_from.is_zero() && !begin.mass_to.is_zero() && !end.mass_from.is_zero() &&
                          !end.mass_to.is_zero() && !begin.p_to.is_zero() && !end.p_to.is_zero();
  if (has_masses && largest->ratio.value.sign() > 0) {
    REQUIRE(is_certainly_below(begin, end, {largest->ratio.value * far * far}));
    REQUIRE(is_certainly_below(begin, end, Ratio::infinity()));
  }
}

}  // namespace

TEST_CASE("The largest quotient between two priors that leak nothing is a surd inside (two bits, released x2)") {
  // x2 is answered by randomized response at log 3. Both bits are 1 with probability 3/4 at one end, 1/4 at the other.
  const JointMasses begin{n("3/4*(3/4*3/4+1/4*1/4)"), n("3/4"), n("1/4*(3/4*3/4+1/4*1/4)"), n("1/4")};
  const JointMasses end{n("1/4*(1/4*3/4+3/4*1/4)"), n("1/4"), n("3/4*(1/4*3/4+3/4*1/4)"), n("3/4")};
  const auto largest = largest_on_line(begin, end);
  REQUIRE(largest);
  CHECK(largest->ratio.value.to_string() == "(249 - 24*sqrt(15))/121");
  CHECK(largest->attained);
  CHECK(ratio_of(between(begin, end, n("1/2")))->value == Surd(n("9/7")));
}

TEST_CASE("An end without mass is approached, unless the quotient is the same inside") {
  // At the beginning `from` has no mass. From there on P(output given from) is 1/2, and P(output given to) increases.
  const JointMasses begin{n("0"), n("0"), n("1/4"), n("1")};
  const JointMasses end{n("1/2"), n("1"), n("1"), n("1")};
  const auto largest = largest_on_line(begin, end);
  REQUIRE(largest);
  CHECK(largest->ratio.value == Surd(n("2")));
  CHECK_FALSE(largest->attained);
  const auto constant = largest_on_line(begin, {n("1/2"), n("1"), n("1/4"), n("1")});
  REQUIRE(constant);
  CHECK(constant->attained);
  CHECK_FALSE(largest_on_line(begin, begin));
}

TEST_CASE("Infinite quotients: where one is attained, and where it is only approached") {
  const JointMasses full{n("1/2"), n("1"), n("1/2"), n("1")};
  const auto attained = largest_on_line(full, {n("1/2"), n("1"), n("0"), n("1")});
  CHECK(attained->ratio.infinite);
  CHECK(attained->attained);
  const auto approached = largest_on_line({n("0"), n("0"), n("0"), n("1")}, full);
  CHECK(approached->ratio.infinite);
  CHECK_FALSE(approached->attained);
}

TEST_CASE("On random lines, with zeros and ends without mass, no prior of a grid exceeds what is largest") {
  std::mt19937 random(11);
  const auto part = [&](const Number& mass) {
    switch (random() % 4) {
      case 0: return Number(0);
      case 1: return mass;
      default: return mass * Number::ratio(1 + random() % 8, 9);
    }
  };
  const auto forms = [&] {
    JointMasses made;
    made.mass_from = random() % 5 == 0 ? Number(0) : Number::ratio(1 + random() % 12, 13);
    made.mass_to = random() % 5 == 0 ? Number(0) : Number::ratio(1 + random() % 12, 13);
    made.p_from = part(made.mass_from);
    made.p_to = part(made.mass_to);
    return made;
  };
  for (int round = 0; round < 3000; ++round) {
    const JointMasses begin = forms();
    const JointMasses end = random() % 8 == 0 ? begin : forms();
    check_against_grid(begin, end);
    check_bound(begin, end);
  }
}
