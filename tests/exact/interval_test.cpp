// Rationals near a number.
#include "verifier/exact/interval.h"

#include <doctest/doctest.h>

#include <random>

using namespace oddsbound;

namespace {

// By the definition: the smallest denominator, then the smallest magnitude.
Number simplest_by_trial(const Number& low, const Number& high) {
  if (low.sign() <= 0 && high.sign() >= 0) return Number(0);
  for (std::int64_t denominator = 1;; ++denominator) {
    const Number first = -floor_of(-low * Number(denominator)) / Number(denominator);
    const Number last = floor_of(high * Number(denominator)) / Number(denominator);
    if (first <= last) return low.sign() > 0 ? first : last;
  }
}

}  // namespace

TEST_CASE("The simplest rational of an interval is the one that its definition gives") {
  std::mt19937_64 random(5);
  const auto some = [&] {
    const auto numerator = static_cast<std::int64_t>(random() % 400) - 200;
    return Number::ratio(numerator, static_cast<std::int64_t>(random() % 40) + 1);
  };
  for (int round = 0; round < 2000; ++round) {
    Number low = some(), high = round % 5 == 0 ? low : low + some();
    if (high < low) std::swap(low, high);
    CAPTURE(low.to_string());
    CAPTURE(high.to_string());
    CHECK(simplest_between(low, high) == simplest_by_trial(low, high));
  }
}
