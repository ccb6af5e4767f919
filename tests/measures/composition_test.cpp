#include "verifier/measures/composition.h"

#include <doctest/doctest.h>

#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "tests/support/random_prior.h"
#include "verifier/model/memoized_channel.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/cdp.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

// Straight from the definition.
Level naive_shift(const Model& model, std::size_t coordinate, Budget& budget) {
  const Domain& domain = model.domain;
  const std::vector<Number> masses = model.prior->marginal_weights(coordinate, budget);
  Level largest;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    for (std::uint64_t v = 0; v < domain.values(coordinate); ++v) {
      const std::uint64_t own = domain.digit(x, coordinate);
      const std::uint64_t z = x - own * domain.stride(coordinate) + v * domain.stride(coordinate);
      if (masses[own].is_zero() || masses[v].is_zero() || model.prior->probability(x).is_zero()) continue;
      if (model.prior->probability(z).is_zero()) return Level::infinite();
      const Number ratio = model.prior->probability(x) * masses[v] / (model.prior->probability(z) * masses[own]);
      if (ratio > Number(1)) largest = std::max(largest, Level::of_exponential(ratio));
    }
  }
  return largest;
}

}  // namespace

TEST_CASE("what a value says of the other coordinates, and no BCDP level above that and CDP") {
  Random random(77);
  Budget budget;
  Limits few;
  few.max_inputs = 1;
  int finite = 0;
  const int rounds = effort(600, 80);
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const Model model = random_model(random, round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
    if (!model.prior) continue;
    MeasuredModel subject(model, budget);
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      const Level shift = prior_shift(model.domain, *model.prior, i, budget);
      CHECK(shift == naive_shift(model, i, budget));
      const Level bound = composition_bound(cdp_levels(subject)[i].level, shift);
      CHECK(bcdp_levels(subject)[i].level <= bound);
      finite += bound.is_infinite() ? 0 : 1;
    }
  }
  CHECK(finite > rounds / 4);
}

TEST_CASE("rows that occur give the same as all inputs") {
  Random random(78);
  Budget all;
  const int rounds = effort(300, 60);
  int compared = 0;
  for (int round = 0; round < rounds; ++round) {
    CAPTURE(round);
    const Model model = random_model(random, Entries::kRational);
    if (!model.prior) continue;
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      const Level shift = prior_shift(model.domain, *model.prior, i, all);
      Limits limits;
      limits.max_inputs = model.domain.inputs() - 1;
      Budget rows(limits);
      try {
        const Level by_rows = prior_shift(model.domain, *model.prior, i, rows);
        CHECK(by_rows == shift);
        ++compared;
      } catch (const LimitError& error) {
        // Where all inputs have mass, and of some mixtures, all are counted out.
        CHECK(std::string(error.what()).find("--max-inputs") != std::string::npos);
      }
    }
  }
  CHECK(compared > rounds / 4);
}

TEST_CASE("one value in proportion to another shifts nothing, one that is alone without bound") {
  const Domain domain({{"a", {"0", "1", "2"}}, {"b", {"0", "1"}}});
  Budget budget;
  const Prior alike = Prior::from_weights(domain, {1, 2, 2, 4, 0, 0}, budget);
  CHECK(prior_shift(domain, alike, 0, budget).is_zero());
  const Prior far = Prior::from_weights(domain, {1, 2, 2, 1, 0, 0}, budget);
  CHECK(prior_shift(domain, far, 0, budget) == Level::of_exponential(Number(2)));
  const Prior alone = Prior::from_weights(domain, {1, 0, 2, 1, 0, 0}, budget);
  CHECK(prior_shift(domain, alone, 0, budget).is_infinite());
}

TEST_CASE("several runs are those of one coordinate") {
  const Domain domain({{"a", {"0", "1"}}, {"b", {"0", "1"}}});
  Budget budget;
  const ChannelPtr once =
      channel_of_rows({{Number::ratio(3, 4), Number::ratio(1, 4)}, {Number::ratio(1, 4), Number::ratio(3, 4)}});
  CHECK_FALSE(has_several_runs(ProductChannel(domain, {{once, {0}}, {once, {1}}})));
  CHECK(has_several_runs(ProductChannel(domain, {{once, {0}}, {once, {0}}})));
  CHECK_FALSE(has_several_runs(MemoizedChannel(*once, *once, 1, budget)));
  CHECK(has_several_runs(MemoizedChannel(*once, *once, 2, budget)));
  CHECK(has_several_runs(
      ProductChannel(domain, {{std::make_shared<const MemoizedChannel>(*once, *once, 2, budget), {1}}})));
}
