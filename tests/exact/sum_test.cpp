// Sums of unreduced fractions equal the sums of the reduced numbers.
#include <doctest/doctest.h>

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
