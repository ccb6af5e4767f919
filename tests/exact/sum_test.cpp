// Sums of unreduced fractions equal the sums of the reduced numbers.
#include <doctest/doctest.h>

#include "base/errors.h"
#include "tests/support/random_model.h"
#include "verifier/exact/number.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

std::int64_t word(Random& random, int bits) {
  return static_cast<std::int64_t>(below(random, std::uint64_t{1} << bits));
}

}  // namespace

TEST_CASE("weighted sums of unreduced fractions are exact") {
  Random random(79);
  const Number others[] = {Number::exp_of(Number::ratio(1, 2)), Number(3).pow(60) / Number(7).pow(50), Number(0)};
  for (int round = 0; round < 300; ++round) {
    const int bits = round % 2 == 0 ? 8 : 62;
    std::vector<WeightedTerm> reduced;
    std::vector<FractionTerm> as_they_stand;
    for (std::uint64_t k = below(random, 40); k > 0; --k) {
      const Number weight = Number::ratio(word(random, 5), 1 + word(random, 3));
      if (below(random, 4) == 0) {
        const Number& other = others[below(random, std::size(others))];
        reduced.push_back({weight, other});
        as_they_stand.push_back({weight, 0, 1, &other});
      } else {
        const std::int64_t top = word(random, bits);
        const std::int64_t bottom = 1 + word(random, bits);
        reduced.push_back({weight, Number::ratio(top, bottom)});
        as_they_stand.push_back({weight, top, bottom, nullptr});
      }
    }
    CHECK(weighted_sum(reduced) == weighted_sum(as_they_stand));
  }
}

TEST_CASE("sums of multiples of exp(r) are those of adding one by one, in weighted sums and in texts") {
  Random random(83);
  for (int round = 0; round < 200; ++round) {
    std::vector<Number> numbers;
    Number one_by_one;
    std::string text;
    const std::int64_t finest = 1 + word(random, 5);
    for (std::uint64_t k = below(random, 60); k > 0; --k) {
      const std::int64_t sign = below(random, 2) == 0 ? 1 : -1;
      Number number = Number::ratio(sign * word(random, 3), 1 + word(random, 4));
      if (below(random, 5) > 0) number *= Number::exp_of(Number::ratio(word(random, 6) - 20, finest));
      if (below(random, 20) == 0) number /= Number(1) + Number::exp_of(Number(1));
      // Some of them cancel.
      if (!numbers.empty() && below(random, 8) == 0) number = -numbers[below(random, numbers.size())];
      numbers.push_back(number);
      one_by_one += number;
      text += (text.empty() ? "" : " + ") + number.to_string();
    }
    CHECK(sum_of(numbers) == one_by_one);
    CHECK(sum_of(numbers).to_string() == one_by_one.to_string());
    if (!text.empty()) CHECK(parse_number(text) == one_by_one);
  }
  CHECK(parse_number("exp(1) - exp(1)").is_zero());
  CHECK(parse_number("2 - exp(1) + exp(-1) - 3*exp(1) + 4*exp(1) - exp(-1)") == Number(2));
}

TEST_CASE("a sum of exp(r) past the limit on degrees is an error at its term, also among many") {
  std::string text = "exp(1)";
  for (int k = 2; k < 12; ++k) text += " + exp(" + std::to_string(k) + ")";
  const std::string before = text;
  text += " + exp(1/10000) + exp(13)";
  try {
    parse_number(text);
    FAIL("there is no limit");
  } catch (const LimitError& error) {
    CHECK(std::string(error.what()).find("polynomial of degree") != std::string::npos);
    const std::string place =
        "(at character " + std::to_string(before.size() + std::string(" + exp(1/10000) ").size() + 1);
    CHECK(std::string(error.what()).find(place) != std::string::npos);
  }
}
