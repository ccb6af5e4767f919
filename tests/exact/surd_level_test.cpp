// Levels with a square root in their logarithm.
#include <doctest/doctest.h>

#include <random>

#include "base/errors.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;

namespace {

const char* const kLargestRatio = "log((249 - 24*sqrt(15))/121)";

// A surd of at least 1, with any of these radicands.
Surd random_surd(std::mt19937& random) {
  const auto pick = [&] { return Number::ratio(static_cast<int>(random() % 2001) - 1000, 1 + random() % 300); };
  constexpr int kRadicands[] = {2, 3, 12, 15, 1'000'003, 999'999};
  for (;;) {
    const Surd found = Surd(pick()) + Surd(pick()) * Surd::root_of(Number(kRadicands[random() % 6]));
    if (found >= Surd(1)) return found;
  }
}

std::string message_of(const char* level) {
  try {
    parse_level(level);
  } catch (const NumberError& error) {
    return error.what();
  }
  return "";
}

// Checks that both decimals enclose the level: exp(decimal), a level over K, against the surd.
void check_decimals(const Level& level) {
  const DecimalBounds bounds = decimal_bounds(level);
  const auto exp_of = [](const std::string& decimal) {
    return Level::of_exponential(Number::exp_of(parse_number(decimal)));
  };
  CHECK(exp_of(bounds.lower) < level);
  CHECK(level < exp_of(bounds.upper));
  const Number width = parse_number(bounds.upper) - parse_number(bounds.lower);
  CHECK(width * Number(10).pow(15) < parse_number(bounds.upper));
}

}  // namespace

TEST_CASE("A level with a root is written as it is read") {
  const Level level = parse_level(kLargestRatio);
  REQUIRE(level.surd() != nullptr);
  CHECK(level.to_string() == kLargestRatio);
  CHECK(level.root_text() == kLargestRatio);
  CHECK(level.approx() == doctest::Approx(0.254375667963471).epsilon(1e-13));
  CHECK(parse_level("log(sqrt(2))").to_string() == "log(sqrt(2))");
  CHECK(parse_level("1/2 + log(1 + sqrt(8))").to_string() == "1/2 + log(1 + 2*sqrt(2))");
  CHECK(parse_level("log(exp(1)*sqrt(3))").to_string() == "1 + log(sqrt(3))");
  CHECK(parse_level("log(1 + exp(1)*sqrt(3))").to_string() == "log((1) + (exp(1))*sqrt(3))");
}

TEST_CASE("A root that is a number is one everywhere") {
  CHECK(parse_number("sqrt(9/4)") == Number::ratio(3, 2));
  CHECK(parse_number("sqrt(2)*sqrt(8)") == Number(4));
  CHECK(parse_number("sqrt(2)^4/sqrt(0.25)") == Number(8));
  CHECK(parse_number("(sqrt(15) - 1)*(sqrt(15) + 1)") == Number(14));
  CHECK(parse_number("sqrt(exp(3))") == parse_number("exp(3/2)"));
  CHECK(parse_level("log(sqrt(4))").surd() == nullptr);
  CHECK(parse_level("2*log(sqrt(2))") == parse_level("log(2)"));
  CHECK(parse_level("sqrt(4)") == parse_level("2"));
  CHECK(parse_level("log(sqrt(1 + 2*exp(1) + exp(2)) - exp(1))").is_zero());
}

TEST_CASE("Half of a logarithm is the logarithm of a root") {
  CHECK(parse_level("11.5*log(2)") == parse_level("log(2048*sqrt(2))"));
  CHECK(parse_level("log(2)*23/2") == parse_level("11.5*log(2)"));
  CHECK(parse_level("log(3)/2") == parse_level("log(sqrt(3))"));
  CHECK(parse_level("-1/2*log(1/3)") == parse_level("log(sqrt(3))"));
  CHECK(parse_level("log(4)/2") == parse_level("log(2)"));
  CHECK(parse_level("log(4)/2").surd() == nullptr);
  CHECK(parse_level("(1 + log(2))/2") == parse_level("1/2 + log(sqrt(2))"));
  CHECK(parse_level("log(2)/(1/3)") == parse_level("3*log(2)"));
  CHECK(parse_level("log(2)/2 + log(2)/2") == parse_level("log(2)"));
  CHECK(parse_level("11.5*log(2)").approx() == doctest::Approx(11.5 * 0.69314718055994531));
  CHECK(message_of("log(2)/3").starts_with("a logarithm divided by 3 cannot be represented exactly"));
  CHECK(message_of("1/3*log(2)")
            .starts_with("a logarithm can only be multiplied by an integer or by half of one, not by 1/3"));
  CHECK(
      message_of("log(sqrt(2))/2").starts_with("half of the logarithm of sqrt(2), which has a root in it, cannot be"));
  CHECK(message_of("log(2)/0").starts_with("division by zero"));
  CHECK_THROWS_AS(parse_level("5001.5*log(2)"), LimitError);
}

TEST_CASE("What a root cannot be part of is refused with the reason") {
  CHECK_THROWS_WITH_AS(
      parse_number("sqrt(2)"),
      "a square root cannot be represented exactly as a number; only a level may hold one, under a log", NumberError);
  CHECK(message_of("log(sqrt(2) + sqrt(3))").starts_with("sqrt(2) and sqrt(3) in one number cannot be"));
  CHECK(message_of("log(sqrt(2)) + log(sqrt(3))").starts_with("sqrt(2) and sqrt(3) in one number cannot be"));
  CHECK(message_of("log(sqrt(-1))").starts_with("the square root of -1, which is negative"));
  CHECK(message_of("sqrt(log(2))").starts_with("sqrt of a logarithm cannot be"));
  CHECK(message_of("sqrt(inf)").starts_with("inf cannot be used in sqrt(...)"));
  CHECK(message_of("log(sqrt(1 + sqrt(2)))").starts_with("sqrt of 1 + sqrt(2), which has a root in it, cannot be"));
  CHECK(message_of("sqrt(2)*log(2)")
            .starts_with("a logarithm can only be multiplied by an integer or by half of one, not by sqrt(2)"));
  CHECK(message_of("2^sqrt(2)").starts_with("an exponent after ^ must be an integer"));
  CHECK(message_of("exp(sqrt(2))").starts_with("exp(sqrt(2)) cannot be represented exactly"));
  CHECK(message_of("sqrt(2)").starts_with("a level must be a rational number, a log(...), or a sum of these; sqrt(2)"));
  CHECK(message_of("log(1 - sqrt(2))").starts_with("log of 1 - sqrt(2), which is not positive"));
  CHECK(message_of("log(sqrt(1/2))").starts_with("the level is negative"));
  CHECK(message_of("log(1/(sqrt(2)*sqrt(2) - 2))").starts_with("division by zero"));
  CHECK(message_of("sqrt 2").starts_with("unexpected '2', expected '(' after sqrt"));
  CHECK_THROWS_AS(Level::of_surd(Surd(2) - Surd::root_of(2)), NumberError);
}

TEST_CASE("Random levels with roots read back, compare as their surds do and have decimals around them") {
  std::mt19937 random(11);
  for (int round = 0; round < 400; ++round) {
    const Surd first = random_surd(random), second = random_surd(random);
    const Level a = Level::of_surd(first), b = Level::of_surd(second);
    REQUIRE(parse_level(a.to_string()) == a);
    REQUIRE((a <=> b) == (first <=> second));
    REQUIRE((a == b) == ((a <=> b) == std::strong_ordering::equal));
    REQUIRE(a.text_size() + 5 >= a.to_string().size());
    if (a.surd() != nullptr) check_decimals(a);
  }
}

TEST_CASE("Levels with roots compare with numbers, with others near them and with infinity") {
  const Level root = parse_level("log(sqrt(2))");
  CHECK(parse_level("log(1.41421356237309504880168872420969807856)") < root);
  CHECK(root < parse_level("log(1.41421356237309504880168872420969807857)"));
  CHECK(root < parse_level("log(sqrt(2 + 1e-60))"));
  CHECK(root < parse_level("log(sqrt(3) - 0.31783724519578224472575761729617428837)"));
  CHECK(root > parse_level("log(sqrt(3) - 0.31783724519578224472575761729617428838)"));
  // Closer than enclosures resolve: decided by squaring, with one root, with two, and with terms of either sign.
  CHECK(root < parse_level("log(sqrt(2) + 1e-700)"));
  CHECK(root > parse_level("log(sqrt(2) - 1e-700)"));
  CHECK(root < parse_level("log(sqrt(2 + 1e-700))"));
  CHECK(root > parse_level("log(sqrt(2 - 1e-700))"));
  CHECK(parse_level("log(5 - sqrt(2))") > parse_level("log(5 - sqrt(2 + 1e-700))"));
  CHECK(parse_level("log(5 - sqrt(2))") < parse_level("log(5 + 1e-700 - sqrt(2))"));
  CHECK(parse_level("log(sqrt(3) - 1/2)") < parse_level("log(sqrt(3 + 1e-700) - 1/2)"));
  CHECK(root == parse_level("log(2/sqrt(2))"));
  // The exponents are too far apart for the difference to be formed.
  CHECK(parse_level("0.12345678901234567") < parse_level("1/3 + log(sqrt(2))"));
  CHECK(root != parse_level("log(2)"));
  CHECK(root < Level::infinite());
  CHECK(root != Level::infinite());
  CHECK(Level() < root);
  CHECK(std::max(root, parse_level("1/3")) == root);
}

TEST_CASE("Levels with roots add and multiply") {
  const Level root = parse_level("log(1 + sqrt(2))");
  CHECK(root.times(0) == Level());
  CHECK(root.times(3) == parse_level("log(7 + 5*sqrt(2))"));
  CHECK(root.times(3) == root + root + root);
  CHECK(root + parse_level("1 + log(3)") == parse_level("1 + log(3 + 3*sqrt(2))"));
  CHECK((root + Level::infinite()).is_infinite());
  CHECK(parse_level("log(sqrt(3))").times(2) == parse_level("log(3)"));
  CHECK_THROWS_AS(root + parse_level("log(sqrt(3))"), NumberError);
  CHECK(parse_level("3*log(1 + sqrt(2)) - log(7 + 5*sqrt(2))").is_zero());
}

TEST_CASE("Decimals enclose a level where its plain part and its root nearly cancel") {
  check_decimals(parse_level(kLargestRatio));
  check_decimals(parse_level("log(1 + sqrt(1e60 + 1) - 1e30)"));
  check_decimals(parse_level("log(1e40*(sqrt(1e60 + 1) - 1e30))"));
  check_decimals(parse_level("log(sqrt(1 + 1e-50))"));
  // Half of log(2) = 0.6931471805599453094172321...
  const DecimalBounds half = decimal_bounds(parse_level("log(sqrt(2))"));
  CHECK(half.lower == "0.34657359027997265");
  CHECK(half.upper == "0.34657359027997266");
}
