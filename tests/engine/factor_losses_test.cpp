#include "verifier/engine/factor_losses.h"

#include <doctest/doctest.h>

#include "tests/support/random_model.h"

using namespace oddsbound;
using namespace oddsbound::engine;
using namespace oddsbound::testing;

namespace {

Number quarter(std::int64_t n) { return Number::ratio(n, 4); }

}  // namespace

TEST_CASE("losses of a channel, by hand") {
  const ChannelPtr channel =
      channel_of_rows({{quarter(3), quarter(1)}, {quarter(1), quarter(3)}, {quarter(1), quarter(3)}});
  LossValues values;
  Budget budget;
  const FactorLosses losses(*channel, values, budget);
  CHECK(values.value(losses.loss(0, 1)) == Number(3));
  CHECK(losses.loss(1, 2) == LossValues::kNone);
  CHECK(losses.class_of(1) == losses.class_of(2));
  CHECK(losses.class_of(0) != losses.class_of(1));
  CHECK(losses.largest() == losses.loss(0, 1));
  CHECK(losses.output(0, 1, budget) == 0);
  CHECK(losses.output(1, 0, budget) == 1);
  CHECK(losses.most_from(losses.class_of(0)) == doctest::Approx(3));
}

TEST_CASE("an output that one input never gives is an infinite loss in one direction") {
  const ChannelPtr channel = channel_of_rows({{Number(1), Number(0)}, {quarter(2), quarter(2)}});
  LossValues values;
  Budget budget;
  const FactorLosses losses(*channel, values, budget);
  CHECK(losses.loss(1, 0) == LossValues::kInfinite);
  CHECK(values.value(losses.loss(0, 1)) == Number(2));
  CHECK(losses.largest() == LossValues::kInfinite);
  CHECK(losses.output(1, 0, budget) == 1);
}
