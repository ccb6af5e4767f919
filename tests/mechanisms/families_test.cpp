#include <doctest/doctest.h>

#include <set>

#include "mechanisms/family.h"
#include "tests/support/families.h"

using namespace oddsbound;
using oddsbound::testing::finite_examples;
using oddsbound::testing::read_example;

TEST_CASE("every finite family has an example") {
  std::set<std::string> seen;
  for (const auto& example : finite_examples()) {
    for (const Family& family : families()) {
      if (example.mechanism.find("\"" + family.name + "\"") != std::string::npos) seen.insert(family.name);
    }
  }
  CHECK(seen.size() + 2 == families().size());
}

TEST_CASE("rows sum to one, columns agree with entries, labels are distinct") {
  for (const auto& example : finite_examples()) {
    Budget budget;
    const Spec spec = read_example(example.domain, example.mechanism, budget);
    const Channel& channel = *spec.model.channel;
    const auto columns = channel.columns(budget);
    std::vector<Number> totals(channel.inputs(), Number(0));
    std::vector<std::uint32_t> scratch;
    for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
      const auto ranks = columns->ranks(y, scratch);
      for (std::uint64_t x = 0; x < channel.inputs(); ++x) {
        REQUIRE_MESSAGE(columns->pool().value(ranks[x]) == channel.entry(x, y), example.mechanism);
        totals[x] += channel.entry(x, y);
      }
    }
    for (const Number& total : totals) CHECK_MESSAGE(total.is_one(), example.mechanism);
    const std::vector<std::string> labels = output_labels(channel, budget);
    CHECK(std::set<std::string>(labels.begin(), labels.end()).size() == labels.size());
  }
}

TEST_CASE("every estimator is unbiased, as an identity in K") {
  for (const auto& example : finite_examples()) {
    Budget budget;
    const Spec spec = read_example(example.domain, example.mechanism, budget);
    EstimatorPtr estimator = spec.mechanism.estimator;
    if (!estimator) estimator = least_squares_estimator(spec.model.domain, *spec.model.channel, budget);
    if (!estimator) {
      MESSAGE("no estimator: " << example.mechanism);
      continue;
    }
    std::string where;
    CHECK_MESSAGE(is_unbiased(*estimator, *spec.model.channel, budget, where), example.mechanism << ": " << where);
  }
}
