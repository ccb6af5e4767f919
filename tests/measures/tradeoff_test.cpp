#include <doctest/doctest.h>
#include <cmath>

#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "tests/support/random_prior.h"
#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/measures/budget_split.h"
#include "verifier/measures/tradeoff.h"
#include "verifier/model/adaptive_channel.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/analysis.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/ldp.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

// The shift by definition.
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
      const Level bound = composition_bound(cdp_levels(subject)[i].at_least, shift);
      CHECK(bcdp_levels(subject)[i].at_least <= bound);
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
        // All inputs are enumerated if all have mass, and for some mixtures.
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

// Trade-off curves and the conversions between notions.

using namespace oddsbound::testing;

TEST_CASE("the curve of Warner's response has its three vertices") {
  const std::vector<Number> from = {Number::ratio(3, 4), Number::ratio(1, 4)};
  const std::vector<Number> to = {Number::ratio(1, 4), Number::ratio(3, 4)};
  const std::vector<ErrorPair> curve = tradeoff_curve(from, to);
  REQUIRE(curve.size() == 3);
  CHECK(curve[0].type_one == Number(0));
  CHECK(curve[0].type_two == Number(1));
  CHECK(curve[1].type_one == Number::ratio(1, 4));
  CHECK(curve[1].type_two == Number::ratio(1, 4));
  CHECK(curve[2].type_one == Number(1));
  CHECK(curve[2].type_two == Number(0));
}

TEST_CASE("outputs that rule out one side give vertices on the axes") {
  // Mangat: no = (2/3, 1/3), yes = (0, 1). Testing yes against no: output "no" is rejected at no cost.
  const std::vector<Number> yes = {Number(0), Number(1)};
  const std::vector<Number> no = {Number::ratio(2, 3), Number::ratio(1, 3)};
  const std::vector<ErrorPair> curve = tradeoff_curve(yes, no);
  REQUIRE(curve.size() == 2);
  CHECK(curve[0].type_one == Number(0));
  CHECK(curve[0].type_two == Number::ratio(1, 3));
  CHECK(curve[1].type_one == Number(1));
}

TEST_CASE("the curve is convex, below every test, and touches the line of the level (Proposition 2)") {
  Random random(31);
  for (int round = 0; round < 150; ++round) {
    const std::size_t outputs = 1 + below(random, 5);
    const Entries entries = round % 3 == 0 ? Entries::kWithExp : Entries::kRational;
    const std::vector<Number> from = random_distribution(random, outputs, entries);
    const std::vector<Number> to = random_distribution(random, outputs, entries);
    const std::vector<ErrorPair> curve = tradeoff_curve(from, to);
    CHECK(curve.front().type_one.is_zero());
    CHECK(curve.back().type_two.is_zero());
    CHECK(curve.back().type_one <= Number(1));
    for (std::size_t k = 2; k < curve.size(); ++k) {
      const Number before =
          (curve[k - 1].type_two - curve[k - 2].type_two) * (curve[k].type_one - curve[k - 1].type_one);
      const Number after =
          (curve[k].type_two - curve[k - 1].type_two) * (curve[k - 1].type_one - curve[k - 2].type_one);
      CHECK(before < after);
    }
    // Every rejection region lies on or above the curve, that is above the line of each edge.
    for (std::uint64_t region = 0; region < (std::uint64_t{1} << outputs); ++region) {
      Number alpha, beta(1);
      for (std::size_t y = 0; y < outputs; ++y) {
        if ((region >> y & 1) == 0) continue;
        alpha += from[y];
        beta -= to[y];
      }
      for (std::size_t k = 1; k < curve.size(); ++k) {
        const Number width = curve[k].type_one - curve[k - 1].type_one;
        const Number drop = curve[k].type_two - curve[k - 1].type_two;
        CHECK((beta - curve[k - 1].type_two) * width >= drop * (alpha - curve[k - 1].type_one));
      }
    }
    // Proposition 2: e^eps alpha + beta >= 1 on the whole curve, with equality somewhere if eps is the exact level
    // from `to` to `from`.
    const Model model{Domain({{"x", {"a", "b"}}}), channel_of_rows({from, to}), std::nullopt};
    Budget budget;
    MeasuredModel subject(model, budget);
    const Level level = ldp_level(subject).at_least;
    if (level.is_infinite()) continue;
    for (const ErrorPair& vertex : curve) {
      CHECK(level.exponential() * vertex.type_one + vertex.type_two >= Number(1));
      CHECK(vertex.type_one + level.exponential() * vertex.type_two >= Number(1));
    }
  }
}

TEST_CASE("analysis adds curves for the worst pairs when asked") {
  Random random(32);
  const Model model = random_model(random, Entries::kRational);
  Budget budget;
  MeasuredModel subject(model, budget);
  CHECK(!analyze(subject).tradeoffs);
  MeasuredModel curious(model, budget, true);
  const Analysis analysis = analyze(curious);
  REQUIRE(analysis.tradeoffs);
  CHECK(analysis.tradeoffs->size() == 1 + model.domain.size());
}

TEST_CASE("Proposition 4 by hand") {
  // c = (log 2, log 3), q = 1/2: 2 (1 + 3/2 - 1/2) = 4; with eps = log 6: min(2 (1 + 6/2 - 1/2), 6) = 6.
  const std::vector<Level> cdp = {parse_level("log(2)"), parse_level("log(3)")};
  const Number q = Number::ratio(1, 2);
  CHECK(bcdp_from_cdp(cdp, q, 0) == parse_level("log(4)"));
  CHECK(bcdp_from_cdp_and_ldp(cdp[0], q, parse_level("log(6)")) == parse_level("log(6)"));
  CHECK(bcdp_from_cdp_and_ldp(cdp[0], q, parse_level("log(2)")) == parse_level("log(2)"));
  CHECK(proposition_4_bound(cdp, q, 0, parse_level("log(6)")) == parse_level("log(4)"));
  // Independent coordinates: c_i alone, even if others are released unperturbed.
  CHECK(bcdp_from_cdp(std::vector<Level>{parse_level("1"), Level::infinite()}, Number(0), 0) == parse_level("1"));
  CHECK(bcdp_from_cdp(std::vector<Level>{parse_level("1"), Level::infinite()}, q, 0).is_infinite());
}

TEST_CASE("Proposition 6's condition implies Proposition 4's levels, and is decided at its edges") {
  Random random(33);
  int satisfied = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<Level> deltas, cdp;
    std::vector<Number> q;
    for (int i = 0; i < 2; ++i) {
      deltas.push_back(Level::of_exponential(Number::ratio(static_cast<std::int64_t>(11 + below(random, 40)), 10)));
      cdp.push_back(Level::of_exponential(Number::ratio(static_cast<std::int64_t>(10 + below(random, 10)), 10)));
      q.push_back(Number::ratio(static_cast<std::int64_t>(below(random, 5)), 4));
    }
    if (proposition_6(deltas, q, cdp) != Answer::kYes) continue;
    ++satisfied;
    for (std::size_t i = 0; i < 2; ++i) CHECK(bcdp_from_cdp(cdp, q[i], i) <= deltas[i]);
  }
  CHECK(satisfied > 20);
  const std::vector<Level> one = {parse_level("1")};
  CHECK(proposition_6(one, std::vector<Number>{Number(1)}, one) == Answer::kYes);
  CHECK(proposition_6(one, std::vector<Number>{Number(1)}, std::vector<Level>{parse_level("1.001")}) == Answer::kNo);
  const std::vector<Level> zero_and_one = {Level(), parse_level("1")};
  const std::vector<Number> half(2, Number::ratio(1, 2));
  // delta_1 = 0 leaves nothing for the others.
  CHECK(proposition_6(zero_and_one, half, std::vector<Level>{Level(), parse_level("1/10")}) == Answer::kNo);
  CHECK(proposition_6(zero_and_one, half, std::vector<Level>{Level(), Level()}) == Answer::kYes);
  // With q = 1 and c_i = delta_i / 2 each the two shares add up to exactly 1: rational levels tell, others cannot.
  const std::vector<Number> full(2, Number(1));
  const std::vector<Level> two(2, parse_level("2"));
  CHECK(proposition_6(two, full, std::vector<Level>(2, parse_level("1"))) == Answer::kYes);
  CHECK(proposition_6(two, full, std::vector<Level>(2, parse_level("1.0001"))) == Answer::kNo);
  const std::vector<Level> log4(2, parse_level("log(4)"));
  CHECK(proposition_6(log4, full, std::vector<Level>(2, parse_level("log(2)"))) == Answer::kOpen);
  CHECK(proposition_6(std::vector<Level>(2, Level::infinite()), half, std::vector<Level>(2, Level::infinite())) ==
        Answer::kYes);
}

TEST_CASE("the largest split keeps the levels, and one that is a little larger does not") {
  Random random(34);
  for (int round = 0; round < effort(60, 20); ++round) {
    const std::size_t d = 1 + below(random, 3);
    std::vector<Level> deltas;
    std::vector<Number> q;
    std::vector<double> doubles;
    for (std::size_t i = 0; i < d; ++i) {
      deltas.push_back(parse_level(round % 2 == 0 ? "log(" + std::to_string(2 + below(random, 9)) + ")"
                                                  : std::to_string(1 + below(random, 9)) + "/4"));
      q.push_back(Number::ratio(static_cast<std::int64_t>(below(random, 5)), 4));
    }
    // By plain loops in doubles: the share at which the first row or bound is tight.
    const auto largest = [&](bool by_4) {
      double low = 0, high = 1;
      for (int step = 0; step < 60; ++step) {
        const double share = (low + high) / 2;
        bool keeps = true;
        for (std::size_t i = 0; i < d; ++i) {
          double others = 0;
          for (std::size_t j = 0; j < d; ++j) others += j == i ? 0 : share * deltas[j].approx();
          const double own = share * deltas[i].approx(), delta = deltas[i].approx(), correlation = q[i].approx();
          const double bound = by_4 ? own + std::log(1 + correlation * std::expm1(others))
                               : correlation == 0
                                   ? own
                                   : delta * (own / delta + others / std::log(1 + std::expm1(delta) / correlation));
          keeps = keeps && bound <= delta;
        }
        (keeps ? low : high) = share;
      }
      return low;
    };
    for (const SplitBy by : {SplitBy::kProposition4, SplitBy::kProposition6}) {
      const std::vector<Level> cdp = largest_split(deltas, q, by);
      for (std::size_t i = 0; i < d; ++i) {
        CHECK(proposition_4_bounds(cdp, q, std::vector<std::optional<Level>>(d), Level::infinite())[i] <= deltas[i]);
        // Levels are rounded down to multiples of 1/1000, which leaves room for a larger share.
        const double most = largest(by == SplitBy::kProposition4) * deltas[i].approx();
        CHECK(cdp[i].approx() <= most + 0.004);
        CHECK(cdp[i].approx() >= most - 0.0012);
      }
    }
  }
}

TEST_CASE("levels are split whatever fractions their exponents have") {
  const auto levels = [](std::initializer_list<const char*> texts) {
    std::vector<Level> result;
    for (const char* text : texts) result.push_back(parse_level(text));
    return result;
  };
  struct Case {
    std::vector<Level> deltas;
    Number correlation;
  };
  for (const Case& one :
       {Case{levels({"1", "2"}), Number::ratio(1, 10)}, Case{levels({"1/2", "1"}), Number::ratio(1, 5)},
        Case{levels({"1/2", "1", "3/2"}), Number::ratio(1, 5)}, Case{levels({"log(2)", "log(4)"}), Number::ratio(1, 3)},
        Case{levels({"1/1000003", "1"}), Number::ratio(1, 3)}, Case{levels({"1000000", "1"}), Number::ratio(1, 3)}}) {
    const std::vector<Number> q(one.deltas.size(), one.correlation);
    const std::vector<std::optional<Level>> asked(one.deltas.begin(), one.deltas.end());
    for (const SplitBy by : {SplitBy::kProposition4, SplitBy::kProposition6}) {
      const std::vector<Level> cdp = largest_split(one.deltas, q, by);
      const std::vector<Level> bounds = proposition_4_bounds(cdp, q, asked, Level::infinite());
      for (std::size_t i = 0; i < cdp.size(); ++i) {
        CHECK(!cdp[i].is_zero());
        CHECK(cdp[i].approx() <= bounds[i].approx() * (1 + 1e-12));
        CHECK(bounds[i] <= one.deltas[i]);
      }
    }
  }
  // A bound that exact numbers do not hold is rounded up: 1 + log((2 + e^1000000) / 3).
  const std::vector<Level> cdp = levels({"1", "1000000"});
  const std::vector<Number> third(2, Number::ratio(1, 3));
  const std::vector<std::optional<Level>> asked(2, parse_level("1000001"));
  const Level bound = proposition_4_bounds(cdp, third, asked, Level::infinite())[0];
  CHECK(bound.approx() == doctest::Approx(1000001 - std::log(3)).epsilon(1e-14));
}
