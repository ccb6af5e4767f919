#include "verifier/exact/surd.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "base/errors.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;

namespace {
Surd root(const char* text) { return Surd::root_of(parse_number(text)); }
Surd number(const char* text) { return Surd(parse_number(text)); }
}  // namespace

TEST_CASE("A surd is written as people write it, and squares leave the root") {
  CHECK((number("249/121") - root("8640") / number("121")).to_string() == "(249 - 24*sqrt(15))/121");
  CHECK(root("15").to_string() == "sqrt(15)");
  CHECK((-root("3/4")).to_string() == "-sqrt(3)/2");
  CHECK((number("1") + root("2")).to_string() == "1 + sqrt(2)");
  CHECK(root("49/4").is_number());
  CHECK(root("49/4").plain() == parse_number("7/2"));
  CHECK(root("1000036000099/1").to_string() == "sqrt(1000036000099)");
  CHECK(root("0").is_number());
}

TEST_CASE("Surds of one root are a field; different roots do not mix") {
  const Surd a = number("2/3") + number("5") * root("7");
  const Surd b = number("-1/2") + number("1/9") * root("7");
  CHECK((a / b * b <=> a) == std::strong_ordering::equal);
  CHECK(((a + b) - b) == a);
  CHECK((root("7") * root("7")).is_number());
  CHECK_THROWS_AS(root("2") + root("3"), NumberError);
  CHECK_THROWS_AS(a / Surd(), NumberError);
  CHECK_THROWS_AS(root("-1"), NumberError);
  CHECK((root("7") * number("3/5") - number("2")).pow(5) * (root("7") * number("3/5") - number("2")).pow(-5) ==
        Surd(1));
  CHECK((number("1") + root("2")).pow(3) == number("7") + number("5") * root("2"));
  CHECK(root("2").pow(0) == Surd(1));
  CHECK_THROWS_AS((number("1") + root("2")).pow(10'000'000), LimitError);
}

TEST_CASE("Powers of exp leave the root") {
  CHECK(root("exp(2)").is_number());
  CHECK(root("exp(2)").plain() == parse_number("exp(1)"));
  CHECK(root("2*exp(1)").to_string() == "(exp(1/2))*sqrt(2)");
}

TEST_CASE("Doubles near a surd are near where its parts cancel") {
  const Surd small = root("1000000000000000000000000000001") - number("1000000000000000");
  CHECK(small.approx() == doctest::Approx(5e-16).epsilon(1e-12));
  CHECK((root("1 + 2*exp(1) + exp(2)") - number("1 + exp(1)")).approx() == 0);
}

TEST_CASE("A root that is not known to be a number of K still divides and compares as what it is") {
  const Surd e = root("1 + 2*exp(1) + exp(2)") - number("1");  // = exp(1)
  CHECK(!e.is_number());
  CHECK(e == number("exp(1)"));
  CHECK((e - number("exp(1)")).sign() == 0);
  CHECK_THROWS_AS(number("1") / (e - number("exp(1)")), NumberError);
  CHECK((number("1") / (e + number("exp(1)"))) == number("1/(2*exp(1))"));
}

TEST_CASE("Surds compare as doubles do where these are far apart, and by squares where they are near") {
  std::mt19937 random(7);
  const auto pick = [&] { return Number::ratio(static_cast<int>(random() % 41) - 20, 1 + random() % 9); };
  int near = 0;
  for (int round = 0; round < 4000; ++round) {
    const Surd a = Surd(pick()) + Surd(pick()) * Surd::root_of(Number(1 + random() % 30));
    const Surd b = Surd(pick()) + Surd(pick()) * Surd::root_of(Number(1 + random() % 30));
    const double difference = a.approx() - b.approx();
    if (std::abs(difference) < 1e-9) {
      ++near;
      continue;
    }
    REQUIRE((a <=> b) == (difference <=> 0));
    REQUIRE((b <=> a) == (0 <=> difference));
  }
  CHECK(near < 40);
  // sqrt(2) + sqrt(3) = sqrt(10 + sqrt(96)) = 3.14626436994197234..., against its decimals.
  CHECK(root("2") < number("3146264369941972343/1000000000000000000") - root("3"));
  CHECK(root("2") > number("3146264369941972342/1000000000000000000") - root("3"));
  CHECK(root("12") == number("2") * root("3"));
}
