#include "verifier/model/value_pool.h"

#include <doctest/doctest.h>

using namespace oddsbound;
using namespace oddsbound::model;

TEST_CASE("equal values share a rank, and ranks ascend with values") {
  PoolBuilder builder;
  builder.add(SmallFraction{1, 2});
  builder.add(Number::ratio(1, 3));
  builder.add(SmallFraction{2, 4});
  builder.add(Number::exp_of(Number(-1)));  // 0.3679
  builder.add(SmallFraction{0, 5});
  builder.add(Number::ratio(1, 2));
  std::vector<std::uint32_t> ranks;
  Budget budget;
  const ValuePool pool = std::move(builder).finish(ranks, budget);
  CHECK(ranks == std::vector<std::uint32_t>{3, 1, 3, 2, 0, 3});
  CHECK(pool.size() == 4);
  CHECK(pool.value(0).is_zero());
  CHECK(pool.value(1) == Number::ratio(1, 3));
  CHECK(pool.value(2) == Number::exp_of(Number(-1)));
  CHECK(pool.value(3) == Number::ratio(1, 2));
  CHECK(pool.has_zero());
  CHECK(pool.approximations_usable());
  for (std::uint32_t rank = 0; rank < pool.size(); ++rank) {
    CHECK(pool.approx(rank) == doctest::Approx(pool.value(rank).approx()).epsilon(0x1p-50));
  }
}

TEST_CASE("terms of a pool add up to weighted sums") {
  PoolBuilder builder;
  builder.add(SmallFraction{2, 6});
  builder.add(Number::exp_of(Number(1)));
  std::vector<std::uint32_t> ranks;
  Budget budget;
  const ValuePool pool = std::move(builder).finish(ranks, budget);
  const std::vector<FractionTerm> terms{pool.term(Number(3), ranks[0]), pool.term(Number(2), ranks[1])};
  CHECK(weighted_sum(terms) == Number(1) + Number(2) * Number::exp_of(Number(1)));
}

TEST_CASE("values outside the range of doubles are not approximated") {
  PoolBuilder builder;
  builder.add(Number::ratio(1, 2).pow(2000));
  std::vector<std::uint32_t> ranks;
  Budget budget;
  const ValuePool pool = std::move(builder).finish(ranks, budget);
  CHECK_FALSE(pool.approximations_usable());
  CHECK_FALSE(pool.has_zero());
}
