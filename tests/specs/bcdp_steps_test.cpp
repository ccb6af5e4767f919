// Steps that keep BCDP levels with any family: against enumeration, compositions written by hand, and bcdp_mean.
#include <doctest/doctest.h>

#include <algorithm>

#include "mechanisms/family.h"
#include "specs/spec_error.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/random_model.h"
#include "verifier/exact/expression.h"
#include "verifier/model/channel.h"

using namespace oddsbound;
using oddsbound::testing::below;
using oddsbound::testing::kFive;
using oddsbound::testing::kPair;
using oddsbound::testing::kThree;
using oddsbound::testing::kTwo;
using oddsbound::testing::read_example;
using oddsbound::testing::signs;

namespace {

const std::string kThreeByTwo = R"j([{"name": "a", "size": 3}, {"name": "b", "size": 2}])j";
const std::string kTwoByTwoByThree =
    R"j([{"name": "a", "size": 2}, {"name": "b", "size": 2}, {"name": "c", "size": 3}])j";

// A pair of parameters that every family that is LDP at epsilon has enough of.
std::string inner_of(const Family& family) {
  std::string text = R"j({"type": ")j" + family.name + "\"";
  for (const Field& field : family.parameters) {
    if (field.required && field.name != "epsilon") text += ", \"" + field.name + "\": 1";
  }
  return text + "}";
}

std::string steps(const std::string& delta, const std::string& q, const std::string& zeta, const std::string& inner,
                  const std::string& epsilon = "log(81)") {
  return R"j({"type": "bcdp_steps", "delta": )j" + delta + R"j(, "epsilon": ")j" + epsilon + R"j(", "q": )j" + q +
         R"j(, "zeta": ")j" + zeta + R"j(", "mechanism": )j" + inner + "}";
}

// Every entry, in the order of the outputs.
std::vector<Number> entries_of(const Spec& spec) {
  std::vector<Number> entries;
  const Channel& channel = *spec.model.channel;
  for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) entries.push_back(channel.entry(x, y));
  }
  return entries;
}

// exp of the LDP level, by plain loops; all entries are positive.
Number ldp_by_loops(const Channel& channel) {
  Number largest(1);
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    Number least = channel.entry(0, y), most = least;
    for (std::uint64_t x = 1; x < channel.inputs(); ++x) {
      least = std::min(least, channel.entry(x, y));
      most = std::max(most, channel.entry(x, y));
    }
    if (!least.is_zero()) largest = std::max(largest, most / least);
    if (least.is_zero()) CHECK(most.is_zero());
  }
  return largest;
}

// exp of the BCDP level of coordinate i, and its correlation with the others, by the definitions.
struct ByDefinition {
  Number level{1}, correlation{0};
};

ByDefinition by_definition(const Spec& spec, const std::vector<Number>& weights, std::size_t i) {
  const Domain& domain = spec.model.domain;
  const Channel& channel = *spec.model.channel;
  const std::uint64_t values = domain.coordinate(i).values.size();
  std::vector<Number> mass(values, Number(0));
  for (std::uint64_t x = 0; x < weights.size(); ++x) mass[domain.digit(x, i)] += weights[x];
  ByDefinition found;
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    std::vector<Number> joint(values, Number(0));
    for (std::uint64_t x = 0; x < weights.size(); ++x) joint[domain.digit(x, i)] += weights[x] * channel.entry(x, y);
    for (std::uint64_t a = 0; a < values; ++a) {
      for (std::uint64_t b = 0; b < values; ++b) {
        if (!joint[b].is_zero()) found.level = std::max(found.level, joint[a] * mass[b] / (joint[b] * mass[a]));
      }
    }
  }
  for (std::uint64_t a = 0; a < values; ++a) {
    for (std::uint64_t b = 0; b < a; ++b) {
      Number distance(0);
      for (std::uint64_t x = 0; x < weights.size(); ++x) {
        if (domain.digit(x, i) != a) continue;
        // The input with b in place of a.
        for (std::uint64_t z = 0; z < weights.size(); ++z) {
          bool same = domain.digit(z, i) == b;
          for (std::size_t j = 0; j < domain.size(); ++j)
            same = same && (j == i || domain.digit(x, j) == domain.digit(z, j));
          if (!same) continue;
          const Number difference = weights[x] / mass[a] - weights[z] / mass[b];
          distance += difference.sign() < 0 ? -difference : difference;
        }
      }
      found.correlation = std::max(found.correlation, distance / Number(2));
    }
  }
  return found;
}

}  // namespace

TEST_CASE("families that say so are LDP at their epsilon, on small domains, by plain loops") {
  Budget budget;
  std::size_t count = 0;
  for (const Family& family : families()) {
    if (!family.ldp_at_epsilon) continue;
    ++count;
    for (const std::string& domain : {kTwo, kThree, kFive, kPair}) {
      if (family.name == "duchi_hypercube" && domain != kTwo && domain != kPair) continue;
      for (const char* level : {"4", "9/4", "25"}) {
        std::string mechanism = inner_of(family);
        mechanism.insert(mechanism.size() - 1, ", \"epsilon\": \"log(" + std::string(level) + ")\"");
        CAPTURE(mechanism);
        CHECK(ldp_by_loops(*read_example(domain, mechanism, budget).model.channel) <= parse_number(level));
      }
    }
  }
  CHECK(count == 7);
}

TEST_CASE("steps keep the LDP level and every delta under every prior within the bounds, whatever the family") {
  oddsbound::testing::Random random(511);
  const char* exponentials[] = {"9/4", "4", "9", "16"};
  int kept = 0, steps_of_two = 0;
  for (int round = 0; round < oddsbound::testing::effort(150, 50); ++round) {
    const std::string& domain = round % 3 == 0 ? kThreeByTwo : round % 3 == 1 ? kPair : kTwoByTwoByThree;
    std::vector<const Family*> fitting;
    for (const Family& family : families()) {
      if (!family.ldp_at_epsilon || (family.name == "duchi_hypercube" && round % 3 != 1)) continue;
      if (round % 3 == 2 && family.name == "unary_encoding") continue;  // 2^12 outputs
      if (family.name == "d_bit_flip") continue;                        // roots of levels
      fitting.push_back(&family);
    }
    const Family& family = *fitting[below(random, fitting.size())];
    Budget budget;
    const Spec shape = read_example(domain, steps("0", "0", "1", R"j({"type": "k_randomized_response"})j"), budget);
    const std::size_t d = shape.model.domain.size();
    std::vector<Number> weights;
    for (std::uint64_t x = 0; x < shape.model.domain.inputs(); ++x) {
      weights.push_back(Number(1 + static_cast<std::int64_t>(below(random, 6)) * (x % 5 == 0 ? 20 : 1)));
    }
    std::string delta, q;
    std::vector<Number> levels;
    std::size_t largest = 0;
    for (std::size_t i = 0; i < d; ++i) {
      levels.push_back(parse_number(exponentials[below(random, 4)]));
      if (levels[i] >= levels[largest]) largest = i;
    }
    for (std::size_t i = 0; i < d; ++i) {
      const std::string name = shape.model.domain.coordinate(i).name;
      delta += (i == 0 ? "\"" : ", \"") + name + "\": \"log(" + levels[i].to_string() + ")\"";
      if (i == largest) continue;  // needs no bound
      q += (q.empty() ? "\"" : ", \"") + name + "\": \"" + by_definition(shape, weights, i).correlation.to_string() +
           "\"";
    }
    const std::string mechanism =
        steps("{" + delta + "}", "{" + q + "}", round % 2 == 0 ? "1/2" : "1", inner_of(family), "log(9)");
    CAPTURE(mechanism);
    const Spec spec = read_example(domain, mechanism, budget);
    CHECK(ldp_by_loops(*spec.model.channel) <= std::min(Number(9), *std::max_element(levels.begin(), levels.end())));
    for (std::size_t i = 0; i < d; ++i) {
      const Number level = by_definition(spec, weights, i).level;
      CHECK(level <= levels[i]);
      kept += level * level > levels[i] ? 1 : 0;
    }
    steps_of_two += spec.model.channel->factors().size() > 1 ? 1 : 0;
  }
  CHECK(kept > 10);
  CHECK(steps_of_two > 10);
}

TEST_CASE("the steps are a composition that can be written by hand, and with sign vectors they are bcdp_mean") {
  Budget budget;
  // L = log(1 + (2 - 1)/(1/10)) is above log(9), so c is log(4/(1 + 8/10)) for b and log(9) for a.
  const Spec spec = read_example(
      kThreeByTwo,
      steps(R"j({"a": "log(9)", "b": "log(4)"})j", "\"1/10\"", "1/2", R"j({"type": "k_randomized_response"})j"),
      budget);
  const Spec by_hand = read_example(kThreeByTwo,
                                    R"j({"type": "compose", "mechanisms": [
           {"type": "on", "coordinates": ["b", "a"], "mechanism": {"type": "k_randomized_response", "epsilon": "log(20/9)"}},
           {"type": "on", "coordinates": ["a"], "mechanism": {"type": "k_randomized_response", "epsilon": "log(81/20)"}}]})j",
                                    budget);
  CHECK(entries_of(spec) == entries_of(by_hand));
  CHECK(spec.notes ==
        std::vector<std::string>{"bcdp_steps: constants c (the CDP levels are at most these): a log(9), b "
                                 "log(20/9); LDP level log(9)"});
  CHECK(spec.mechanism.unread.empty());
  const std::string delta = R"j({"c0": "1", "c1": "1/2", "c2": "3/2"})j";
  const Spec vectors =
      read_example(signs(3), steps(delta, "\"1/5\"", "1/2", R"j({"type": "duchi_hypercube"})j", "3/2"), budget);
  const Spec mean = read_example(
      signs(3), R"j({"type": "bcdp_mean", "epsilon": "3/2", "q": "1/5", "zeta": "1/2", "delta": )j" + delta + "}",
      budget);
  CHECK(entries_of(vectors) == entries_of(mean));
}

TEST_CASE("steps without any level reveal nothing; a level of 0 leaves only later steps") {
  Budget budget;
  const std::string response = R"j({"type": "k_randomized_response"})j";
  const Spec none = read_example(kPair, steps("0", "\"1/2\"", "1/2", response), budget);
  CHECK(none.model.channel->outputs() == 1);
  const Spec later = read_example(kPair, steps(R"j({"a": "log(4)", "b": "0"})j", "0", "1/2", response), budget);
  REQUIRE(later.model.channel->factors().size() == 1);
  CHECK(later.model.channel->factors()[0].coordinates == std::vector<std::size_t>{0});
  CHECK(later.mechanism.unread.empty());
}

TEST_CASE("errors about steps are where they are") {
  Budget budget;
  const auto message = [&](const std::string& mechanism) -> std::string {
    try {
      read_example(kPair, mechanism, budget);
    } catch (const SpecError& error) {
      return error.what();
    }
    return "";
  };
  const auto with = [&](const std::string& inner) { return message(steps("1", "0", "1/2", inner)); };
  CHECK(with(R"j({"type": "rappor", "f": "1/2", "p": "1/4", "q": "3/4"})j").find("expected a family that is LDP") !=
        std::string::npos);
  CHECK(with(R"j({"type": "truncated_geometric"})j").find("expected a family that is LDP") != std::string::npos);
  CHECK(with(R"j({"type": "k_randomized_response", "epsilon": "1"})j").find("epsilon") != std::string::npos);
  CHECK(with(R"j({"type": "subset_selection", "size": 9})j").find("size") != std::string::npos);
  CHECK(message(steps("1", "0", "best", R"j({"type": "k_randomized_response"})j")) != "");
  CHECK(message(steps("1", "\"3/2\"", "1/2", R"j({"type": "k_randomized_response"})j")).find("from 0 to 1") !=
        std::string::npos);
}
