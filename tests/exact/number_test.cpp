// Exact numbers: arithmetic, canonical forms, order, and both directions of the expression grammar.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <random>

#include "base/errors.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;

namespace {

// A random expression over small rationals and exponentials, with its depth bounded.
std::string random_expression(std::mt19937_64& random, int depth) {
  const auto below = [&](std::uint64_t limit) { return random() % limit; };
  if (depth == 0 || below(4) == 0) {
    switch (below(4)) {
      case 0: return std::to_string(below(30));
      case 1: return std::to_string(1 + below(30)) + "/" + std::to_string(1 + below(12));
      case 2: return "0." + std::to_string(below(1000));
      default: return "exp(" + std::to_string(below(7)) + "/" + std::to_string(1 + below(3)) + ")";
    }
  }
  const char* operators[] = {"+", "-", "*"};
  return "(" + random_expression(random, depth - 1) + operators[below(3)] + random_expression(random, depth - 1) + ")";
}

}  // namespace

TEST_CASE("decimals are read exactly") {
  CHECK(parse_number("0.1") == Number::ratio(1, 10));
  CHECK(parse_number("3e-2") == Number::ratio(3, 100));
  CHECK(parse_number("0.10") == Number::ratio(1, 10));
  CHECK(parse_number("1.5E+1") == Number(15));
  CHECK(parse_number(".25") == Number::ratio(1, 4));
  CHECK(parse_number("0.10000000000000000555") > Number::ratio(1, 10));
}

TEST_CASE("a leading zero does not mean octal") {
  CHECK(parse_number("010") == Number(10));
  CHECK(parse_number("0.010") == Number::ratio(1, 100));
  CHECK(parse_number("0.0989999999999999999999999999") < Number::ratio(99, 1000));
  CHECK(Number::from_digits("0777", "010") == Number::ratio(777, 10));
}

TEST_CASE("operators bind as in mathematics") {
  CHECK(parse_number("-2^2") == Number(-4));
  CHECK(parse_number("2*3+4*5") == Number(26));
  CHECK(parse_number("8/4/2") == Number(1));
  CHECK(parse_number("2 - 3 - 4") == Number(-5));
  CHECK(parse_number("2^-2") == Number::ratio(1, 4));
  CHECK(parse_number("--3") == Number(3));
  CHECK(parse_number("0^0") == Number(1));
}

TEST_CASE("equal values of K are equal, however they are written") {
  CHECK(parse_number("exp(1/2)*exp(1/2)") == parse_number("exp(1)"));
  CHECK(parse_number("exp(1)^3/exp(3)") == Number(1));
  CHECK(parse_number("exp(1/2)/(3+exp(1/2))") == parse_number("1/(1+3*exp(-1/2))"));
  CHECK(parse_number("(exp(2)-1)/(exp(1)-1)") == parse_number("exp(1)+1"));
  CHECK(parse_number("exp(log(3))") == Number(3));
  CHECK(parse_number("exp(1/2 + log(2))") == parse_number("2*exp(1/2)"));
  CHECK(parse_number("exp(1) - exp(1)").is_zero());
  CHECK(parse_number("1/(1+exp(1)) + exp(1)/(1+exp(1))").is_one());
  CHECK(parse_number("exp(2)").hash() == parse_number("exp(1)*exp(1)").hash());
}

TEST_CASE("order is decided even for values that doubles cannot tell apart") {
  CHECK(parse_number("exp(1)") > parse_number("2.718281828459045235360287471352662497757"));
  CHECK(parse_number("exp(1)") < parse_number("2.718281828459045235360287471352662497758"));
  CHECK(parse_number("exp(1.5)") > parse_number("exp(1.499999)"));
  CHECK(parse_number("exp(10000)") > parse_number("exp(9999.999)"));
  CHECK(parse_number("1 + 10^-300") > Number(1));
  CHECK(parse_number("exp(10^-9)*10^9 - 10^9") > Number(1));
  CHECK(compare_products(parse_number("exp(1/2)"), parse_number("exp(1/3)"), parse_number("exp(5/6)"), Number(1)) == 0);
  CHECK(compare_products(parse_number("exp(1/2)"), Number(2), parse_number("exp(1/2)"), Number(3)) < 0);
}

TEST_CASE("word-sized arithmetic agrees with large rationals") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 2000; ++round) {
    const auto part = [&] { return static_cast<std::int64_t>(random() >> (1 + random() % 62)); };
    const Number a = Number::ratio(part() - part(), 1 + part() / 2);
    const Number b = Number::ratio(part() - part(), 1 + part() / 2);
    // Adding a number beyond 64 bits forces the slow path.
    const Number large = Number(10).pow(40);
    CHECK((a + large) + b - large == a + b);
    CHECK((a * large) * b / large == a * b);
    CHECK((a <=> b) == ((a * large) <=> (b * large)));
    if (!b.is_zero()) CHECK(a / b * b == a);
    CHECK(a - b == -(b - a));
  }
}

TEST_CASE("weighted sums equal adding one by one") {
  std::mt19937_64 random(4);
  for (int round = 0; round < 100; ++round) {
    std::vector<WeightedTerm> terms;
    Number expected;
    const std::size_t count = random() % 60;
    for (std::size_t k = 0; k < count; ++k) {
      Number value =
          Number::ratio(static_cast<std::int64_t>(random() % 1000), static_cast<std::int64_t>(1 + random() % 1000000));
      if (round % 4 == 0 && k % 3 == 0)
        value *= Number::exp_of(Number::ratio(1, static_cast<std::int64_t>(1 + random() % 3)));
      if (round % 5 == 0 && k % 7 == 0) value *= Number(10).pow(30);
      terms.push_back({Number(static_cast<std::int64_t>(random() % 50)), value});
      expected += terms.back().weight * value;
    }
    CHECK(weighted_sum(terms) == expected);
  }
}

TEST_CASE("what is printed is read back to the same number") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 400; ++round) {
    const Number a = parse_number(random_expression(random, 4));
    const Number b = parse_number(random_expression(random, 3));
    CHECK(parse_number(a.to_string()) == a);
    if (b.is_zero()) continue;
    CHECK(parse_number((a / b).to_string()) == a / b);
    CHECK(parse_number((b / (a * a + Number(1))).to_string()) == b / (a * a + Number(1)));
  }
  for (const char* text :
       {"10^10000*10^10000", "exp(10000)^3", "(exp(10000)^10000)^3", "1/(10^9999+7)", "-exp(-10000)^2"}) {
    CHECK(parse_number(parse_number(text).to_string()) == parse_number(text));
  }
}

TEST_CASE("levels are printed in the grammar of levels and read back") {
  const std::pair<const char*, const char*> cases[] = {{"log(3)", "log(3)"},
                                                       {"1/2", "1/2"},
                                                       {"1 + log(2)", "1 + log(2)"},
                                                       {"inf", "inf"},
                                                       {"2*log(3)", "log(9)"},
                                                       {"0", "0"},
                                                       {"log(exp(1/2))", "1/2"},
                                                       {"log(6) - log(2)", "log(3)"},
                                                       {"log(exp(1/2))/2", "1/4"},
                                                       {"20000", "20000"},
                                                       {"-log(1/3)", "log(3)"},
                                                       {"log(1+exp(1))", "log(1 + exp(1))"},
                                                       {"0.5", "1/2"},
                                                       {"log(3)*2", "log(9)"}};
  for (const auto& [text, printed] : cases) {
    CHECK(parse_level(text).to_string() == printed);
    CHECK(parse_level(parse_level(text).to_string()) == parse_level(text));
  }
}

TEST_CASE("what has no exact value is refused with the reason") {
  CHECK_THROWS_WITH_AS(parse_number("1/0"), "division by zero (at character 4 of the expression)", NumberError);
  CHECK_THROWS_AS(parse_number("log(2)"), NumberError);
  CHECK_THROWS_AS(parse_number("inf"), NumberError);
  CHECK_THROWS_AS(parse_number("exp(exp(1))"), NumberError);
  CHECK_THROWS_AS(parse_number("2^(1/2)"), NumberError);
  CHECK_THROWS_AS(parse_number("0^-1"), NumberError);
  CHECK_THROWS_AS(parse_number("2^3^2"), NumberError);
  CHECK_THROWS_AS(parse_number("1 2"), NumberError);
  CHECK_THROWS_AS(parse_number("(1"), NumberError);
  CHECK_THROWS_AS(parse_number(""), NumberError);
  CHECK_THROWS_AS(parse_number("1e"), NumberError);
  CHECK_THROWS_AS(parse_number("."), NumberError);
  CHECK_THROWS_AS(parse_number("x"), NumberError);
  CHECK_THROWS_AS(parse_number("exp 1"), NumberError);
  CHECK_THROWS_AS(parse_number("log(log(2))"), NumberError);
  CHECK_THROWS_AS(parse_number("1\xc3\xa9"), NumberError);
  CHECK_THROWS_AS(parse_level("log(2)/3"), NumberError);
  CHECK_THROWS_AS(parse_level("log(2)*log(3)"), NumberError);
  CHECK_THROWS_AS(parse_level("log(2)^2"), NumberError);
  CHECK_THROWS_AS(parse_level("1/log(2)"), NumberError);
  CHECK_THROWS_AS(parse_level("log(0)"), NumberError);
  CHECK_THROWS_AS(parse_level("log(-1)"), NumberError);
  CHECK_THROWS_AS(parse_level("log(1/2)"), NumberError);
  CHECK_THROWS_AS(parse_level("-1"), NumberError);
  CHECK_THROWS_AS(parse_level("exp(1)"), NumberError);
  CHECK_THROWS_AS(parse_level("inf - inf"), NumberError);
  CHECK_THROWS_AS(parse_level("log(2)*(1/3)"), NumberError);
}

TEST_CASE("limits are named, not run into") {
  CHECK_THROWS_AS(parse_number("1e999999999"), LimitError);
  CHECK_THROWS_AS(parse_number("1e-10001"), LimitError);
  CHECK_THROWS_AS(parse_number("2^10001"), LimitError);
  CHECK_THROWS_AS(parse_number("((2^10000)^10000)^10000"), LimitError);
  CHECK_THROWS_AS(parse_number("exp(10001)"), LimitError);
  CHECK_THROWS_AS(parse_number("exp(10000)+exp(1/3)"), LimitError);
  CHECK_THROWS_AS(parse_number("(1+exp(1))^10000*(1+exp(1/7))^10000"), LimitError);
  CHECK_THROWS_AS(parse_number("20001*log(2)"), LimitError);
  CHECK_THROWS_AS(parse_level("20001*log(2)"), LimitError);
  CHECK_THROWS_AS(parse_level("10000000000"), LimitError);
  CHECK_THROWS_AS(parse_number(std::string(300, '(') + "1" + std::string(300, ')')), LimitError);
  CHECK_THROWS_AS(parse_number(std::string(10001, '1')), LimitError);
  CHECK_THROWS_AS(parse_number(std::string(5'000'000, '1')), LimitError);
  CHECK(parse_number(std::string(150, '(') + "1" + std::string(150, ')')).is_one());
}

TEST_CASE("decimal bounds enclose and are close") {
  const DecimalBounds log3 = decimal_bounds(parse_level("log(3)"));
  // log 3 = 1.09861228866810969139...
  CHECK(log3.lower == "1.0986122886681096");
  CHECK(log3.upper == "1.0986122886681097");
  const DecimalBounds half = decimal_bounds(parse_level("1/2"));
  CHECK(half.lower == "0.5");
  CHECK(half.upper == "0.5");
  CHECK(decimal_bounds(Level()).lower == "0");
  std::mt19937_64 random(6);
  for (int round = 0; round < 300; ++round) {
    const Number number = parse_number(random_expression(random, 4));
    const DecimalBounds bounds = decimal_bounds(number);
    CHECK(parse_number(bounds.lower) <= number);
    CHECK(parse_number(bounds.upper) >= number);
    const Number width = parse_number(bounds.upper) - parse_number(bounds.lower);
    CHECK(width * Number(10).pow(12) <= (number.sign() < 0 ? -number : number));
  }
  for (const char* text : {"10^-5000", "exp(10000)", "10^10000*exp(1)", "1/3", "exp(-10000)", "99999999999999999",
                           "123456789012345678901/10"}) {
    const DecimalBounds bounds = decimal_bounds(parse_number(text));
    CHECK(parse_number(bounds.lower) <= parse_number(text));
    CHECK(parse_number(bounds.upper) >= parse_number(text));
  }
}

TEST_CASE("approximations are within their stated error") {
  const auto check = [](const Number& number) {
    char text[64];
    std::snprintf(text, sizeof text, "%.40e", number.approx());
    const Number error = parse_number(text) / number - Number(1);
    CHECK((error.sign() < 0 ? -error : error) <= Number(2).pow(-51) + Number(10).pow(-38));
  };
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    const Number number = parse_number(random_expression(random, 4));
    if (number.sign() > 0) check(number);
  }
  // Rationals of a few bits to a few hundred digits.
  for (int round = 0; round < 300; ++round) {
    Number over(1), under(1);
    for (std::uint64_t factors = random() % 12; factors > 0; --factors)
      over *= Number(static_cast<std::int64_t>(1 + random() / 8));
    for (std::uint64_t factors = random() % 12; factors > 0; --factors)
      under *= Number(static_cast<std::int64_t>(1 + random() / 8));
    check(over / under);
    check(-over / under);
  }
  CHECK(parse_number("exp(-10000)").approx() == 0);
  CHECK(std::isinf(parse_number("exp(10000)").approx()));
}

TEST_CASE("levels are written as multiples of the logarithm of a root, and read back") {
  CHECK(parse_level("100*log(3)").root_text() == "100*log(3)");
  CHECK(parse_level("1/2 + 3*log(2)").root_text() == "1/2 + 3*log(2)");
  CHECK(parse_level("5 - 12*log(3/2)").root_text() == "5 + 12*log(2/3)");
  CHECK(parse_level("log(4/9)+1").root_text() == "1 + 2*log(2/3)");
  // 2^6 * 3^4 is a square and no higher power.
  CHECK(parse_level("log(5184)").root_text() == "2*log(72)");
  for (const char* text : {"0", "inf", "3/7", "log(6)", "log(8/3)", "log(1 + exp(1))", "5168*log(3)", "8191*log(2)",
                           "6 + 30*log(5/7) + 20*log(7/5)", "60*log(1 + 10^-9)", "10000*log(2)"}) {
    const Level level = parse_level(text);
    CHECK(parse_level(level.root_text()) == level);
    CHECK(level.root_text().size() <= level.to_string().size());
  }
}

TEST_CASE("levels add, multiply and compare") {
  CHECK(parse_level("log(2)") + parse_level("log(3)") == parse_level("log(6)"));
  CHECK((parse_level("1/2") + Level::infinite()).is_infinite());
  CHECK(parse_level("log(2)").times(3) == parse_level("log(8)"));
  CHECK(Level::infinite().times(0).is_zero());
  CHECK(parse_level("log(3)") < parse_level("1.1"));
  CHECK(parse_level("log(3)") > parse_level("1.0986"));
  CHECK(Level::infinite() > parse_level("1000000"));
  CHECK(Level::infinite() == Level::infinite());
  CHECK_THROWS_AS(Level::of_exponential(Number::ratio(1, 2)), NumberError);
}
