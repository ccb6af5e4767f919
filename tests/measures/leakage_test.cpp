// Average leakage of a release, against values computed by hand and against the definitions.
#include "verifier/measures/leakage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/notions/averages.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

Number ratio(std::int64_t p, std::int64_t q) { return Number::ratio(p, q); }

// I(X_i; Y) by definition, in double; nullopt: of the whole input.
double naive_information(const Model& model, std::optional<std::size_t> coordinate) {
  const std::uint64_t labels = coordinate ? model.domain.values(*coordinate) : model.domain.inputs();
  double information = 0;
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    std::vector<double> joint(labels, 0), mass(labels, 0);
    double output = 0;
    for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
      const std::uint64_t label = coordinate ? model.domain.digit(x, *coordinate) : x;
      const double p = (model.prior->probability(x) * model.channel->entry(x, y)).approx();
      joint[label] += p;
      mass[label] += model.prior->probability(x).approx();
      output += p;
    }
    for (std::uint64_t v = 0; v < labels; ++v) {
      if (joint[v] > 0) information += joint[v] * std::log(joint[v] / mass[v] / output);
    }
  }
  return information;
}

Number naive_guess(const Model& model, std::optional<std::size_t> coordinate) {
  const std::uint64_t labels = coordinate ? model.domain.values(*coordinate) : model.domain.inputs();
  Number right(0);
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    std::vector<Number> joint(labels, Number(0));
    for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) {
      joint[coordinate ? model.domain.digit(x, *coordinate) : x] +=
          model.prior->probability(x) * model.channel->entry(x, y);
    }
    right += *std::max_element(joint.begin(), joint.end());
  }
  return right;
}

void check_information(const Leakage& leakage, double expected) {
  CHECK(std::stod(leakage.information.lower) <= expected + 1e-9);
  CHECK(std::stod(leakage.information.upper) >= expected - 1e-9);
  CHECK(std::stod(leakage.information.upper) - std::stod(leakage.information.lower) < 1e-12);
}

}  // namespace

TEST_CASE("a binary symmetric channel leaks half as much again, and 1 - H(1/4) bits") {
  const Domain domain({{"x", {"0", "1"}}});
  const Model model{domain, channel_of_rows({{ratio(3, 4), ratio(1, 4)}, {ratio(1, 4), ratio(3, 4)}}),
                    Prior::uniform(domain)};
  Budget budget;
  MeasuredModel subject(model, budget);
  for (const Leakage& leakage : {leakage_of_value(subject, 0), leakage_of_record(subject).leakage}) {
    CHECK(leakage.prior == ratio(1, 2));
    CHECK(leakage.posterior == ratio(3, 4));
    CHECK(leakage.factor() == ratio(3, 2));
    const double entropy = -0.25 * std::log(0.25) - 0.75 * std::log(0.75);
    check_information(leakage, std::log(2.0) - entropy);
  }
  CHECK(leakage_of_value(subject, 0).total_variation == ratio(1, 2));
}

// Smith, On the foundations of quantitative information flow, 2009, has two programs that copy parts of a secret:
// one copies five bits of ten, the other copies ten bits of one secret in eight. Their Bayes vulnerabilities
// differ; their mutual informations differ less.
TEST_CASE("programs that copy parts of a secret leak as the literature says") {
  std::vector<std::string> values;
  for (int v = 0; v < 16; ++v) values.push_back(std::to_string(v));
  const Domain domain({{"secret", values}});
  Budget budget;
  std::vector<std::vector<Number>> half(16, std::vector<Number>(4, Number(0)));
  std::vector<std::vector<Number>> seldom(16, std::vector<Number>(3, Number(0)));
  for (std::size_t x = 0; x < 16; ++x) {
    half[x][x % 4] = Number(1);
    seldom[x][x < 2 ? x : 2] = Number(1);
  }
  const Model copies_bits{domain, channel_of_rows(half), Prior::uniform(domain)};
  MeasuredModel bits(copies_bits, budget);
  const Leakage of_bits = leakage_of_value(bits, 0);
  CHECK(of_bits.factor() == Number(4));  // number of outputs: deterministic, uniform prior
  check_information(of_bits, std::log(4.0));
  const Model copies_some{domain, channel_of_rows(seldom), Prior::uniform(domain)};
  MeasuredModel some(copies_some, budget);
  const Leakage of_some = leakage_of_value(some, 0);
  CHECK(of_some.factor() == Number(3));
  check_information(of_some, 2.0 / 16 * std::log(16.0) + 14.0 / 16 * std::log(16.0 / 14));
}

TEST_CASE("nothing is said by an output that is independent of the input, exactly") {
  const Domain domain({{"x", {"0", "1"}}, {"y", {"0", "1"}}});
  const Model model{domain, channel_of_rows(std::vector<std::vector<Number>>(4, {ratio(1, 3), ratio(2, 3)})),
                    Prior::uniform(domain)};
  Budget budget;
  MeasuredModel subject(model, budget);
  const Leakage leakage = leakage_of_record(subject).leakage;
  CHECK(leakage.factor() == Number(1));
  CHECK(leakage.information.upper == "0");
  CHECK(leakage_of_value(subject, 1).information.upper == "0");
  CHECK(leakage_of_record(subject).likeliest == 1);
}

TEST_CASE("averages of random models are those of the definitions, and effects are Bayes' rule") {
  Random random(1701);
  Budget budget;
  for (int round = 0; round < effort(200, 20); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
    MeasuredModel subject(model, budget);
    const Effects effects = measure_effects(subject);
    CHECK(effects.without.empty());
    REQUIRE(effects.record.has_value());
    CHECK(effects.record->posterior == naive_guess(model, {}));
    check_information(*effects.record, naive_information(model, {}));
    for (std::size_t i = 0; i < model.domain.size(); ++i) {
      const AttributeEffects& own = effects.attributes[i];
      REQUIRE((own.worst && own.frequent && own.average));
      CHECK(own.average->posterior == naive_guess(model, i));
      CHECK(own.average->factor() >= Number(1));
      check_information(*own.average, naive_information(model, i));
      // The most frequent output is at least as probable as the worst one; a posterior is at most 1.
      CHECK(own.worst->probability <= own.frequent->probability);
      CHECK(own.worst->posterior <= Number(1));
    }
  }
}
