// Divergences from declared classes of pairs, against all rows of the same channels, on both sides of the size from
// which classes are used; and the outputs that witnesses name, against those of the rows.

#include <doctest/doctest.h>
#include <algorithm>
#include <cmath>

#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/random_model.h"
#include "verifier/engine/pair_classes.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/delta_by_parts.h"
#include "verifier/notions/listed_events.h"
#include "verifier/notions/probabilistic.h"
#include "verifier/notions/zcdp.h"

using namespace oddsbound;
using namespace oddsbound::notions;
using namespace oddsbound::testing;

namespace {

struct Declaring {
  const char* mechanism;  // JSON without epsilon and the closing brace
  std::vector<int> sizes;
};

const std::vector<Declaring> kAround{
    {R"({"type": "unary_encoding")", {5, 6, 7, 8}},
    {R"({"type": "unary_encoding", "variant": "symmetric")", {6, 7}},
    {R"({"type": "k_randomized_response")", {15, 16, 17}},
    {R"({"type": "hadamard_response")", {13, 16}},
    {R"({"type": "subset_selection", "size": 3)", {8, 9}},
    {R"({"type": "optimized_local_hashing", "buckets": 3)", {5, 7}},
};

Arguments arguments_at(const Level& epsilon, const Number& delta) {
  Arguments arguments;
  arguments.set("epsilon", epsilon);
  arguments.set("delta", delta);
  return arguments;
}

// The masses of the named outputs given both sides of the witness.
void check_event(const Channel& channel, const Domain& domain, const Witness& witness, const Number& factor) {
  std::uint64_t from = 0, to = 0;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    if (Label(domain.tuple(domain.row(x))) == witness.from) from = x;
    if (Label(domain.tuple(domain.row(x))) == witness.to) to = x;
  }
  Number p, q;
  std::vector<std::string> named;
  for (std::uint64_t y = 0; y < channel.outputs(); ++y) {
    const Number own_p = channel.entry(from, y), own_q = channel.entry(to, y);
    if (own_p <= factor * own_q) continue;
    p += own_p;
    q += own_q;
    named.push_back(channel.output_label(y));
  }
  CHECK(witness.outputs == named);
  CHECK_FALSE(witness.likelihood_event);
  CHECK(p == witness.p_from);
  CHECK(q == witness.p_to);
}

}  // namespace

TEST_CASE("classes of pairs and rows agree on deltas, tails and events around the size where classes begin") {
  int by_classes = 0, by_rows = 0;
  for (const Declaring& own : kAround) {
    for (const int size : own.sizes) {
      for (const char* level : {"log(9)", "1", "0"}) {
        if (size > 6 && std::string(level) == "1" && effort(2, 1) == 1) continue;
        CAPTURE(own.mechanism);
        CAPTURE(size);
        CAPTURE(level);
        Budget budget;
        const std::string mechanism = std::string(own.mechanism) + ", \"epsilon\": \"" + level + "\"}";
        const Model model = read_example(sized(size), mechanism, budget).model;
        MeasuredModel subject(model, budget);
        (engine::has_pairs_to_class(*model.channel) ? by_classes : by_rows)++;
        CHECK_FALSE(has_described_events(*model.channel));
        const CoordinateGroups all{{{0}}, nullptr};
        for (const Level& epsilon : {Level(), Level::of_exponential(Number::ratio(3, 2)),
                                     Level::of_exponential(Number(2)), Level::of_exponential(Number(50))}) {
          const Arguments arguments = arguments_at(epsilon, Number(0));
          const HockeyStick delta = hockey_stick(subject, epsilon, all);
          const MeasuredNumber found = measured_delta(subject, arguments);
          CHECK_FALSE(found.unfinished);
          CHECK(found.at_least == delta.delta);
          if (!delta.delta.is_zero()) check_event(*model.channel, model.domain, found.witness, epsilon.exponential());
          const HockeyStick tail = largest_tail(subject, epsilon, all);
          const auto mass = std::get<MeasuredNumber>(probabilistic_dp_notion().decide(subject, arguments).actual);
          CHECK_FALSE(mass.unfinished);
          CHECK(mass.at_least == tail.p_from);
          if (!tail.p_from.is_zero()) check_event(*model.channel, model.domain, mass.witness, epsilon.exponential());
        }
      }
    }
  }
  CHECK(by_classes > 0);
  CHECK(by_rows > 0);
}

TEST_CASE("classes of pairs enclose the rho of the rows") {
  for (const Declaring& own : kAround) {
    CAPTURE(own.mechanism);
    Budget budget;
    const int size = own.sizes.back();
    const Model model =
        read_example(sized(size), std::string(own.mechanism) + ", \"epsilon\": \"log(9)\"}", budget).model;
    REQUIRE(engine::has_pairs_to_class(*model.channel));
    // The same rows without classes.
    const Model listed{model.domain, channel_of_rows(rows_of(*model.channel)), {}};
    const CoordinateGroups all{{{0}}, nullptr};
    MeasuredModel by_classes(model, budget), by_rows(listed, budget);
    const MeasuredLevel a = measured_rho(by_classes, all), b = measured_rho(by_rows, all);
    CHECK(a.at_least <= b.at_most());
    CHECK(b.at_least <= a.at_most());
    for (const char* delta : {"0", "1/50"}) {
      Arguments arguments;
      arguments.set("rho", Level());
      arguments.set("delta", Number::ratio(std::string(delta) == "0" ? 0 : 1, 50));
      const auto one = std::get<MeasuredLevel>(approximate_zcdp_notion().decide(by_classes, arguments).actual);
      const auto other = std::get<MeasuredLevel>(approximate_zcdp_notion().decide(by_rows, arguments).actual);
      CHECK(one.at_least <= other.at_most());
      CHECK(other.at_least <= one.at_most());
    }
  }
}

TEST_CASE("products with exp are compared by their parts, and name the outputs of their rows") {
  Budget budget;
  const std::string two = R"j([{"name": "x", "size": 4}, {"name": "y", "size": 6}])j";
  const std::string each =
      R"j({"type": "per_coordinate", "mechanisms": {"*": {"type": "unary_encoding", "epsilon": "1"}}})j";
  const Model model = read_example(two, each, budget).model;
  REQUIRE(has_losses_by_parts(*model.channel));
  REQUIRE_FALSE(has_described_events(*model.channel));
  for (const bool by_coordinate : {false, true}) {
    CoordinateGroups groups;
    groups.groups =
        by_coordinate ? std::vector<std::vector<std::size_t>>{{0}, {1}} : std::vector<std::vector<std::size_t>>{{0, 1}};
    MeasuredModel subject(model, budget);
    Arguments arguments = arguments_at(Level::of_exponential(Number(2)), Number(0));
    if (by_coordinate) arguments.set("neighbors", std::string("coordinate"));
    const MeasuredNumber found = measured_delta(subject, arguments);
    CHECK(found.at_least == hockey_stick(subject, Level::of_exponential(Number(2)), groups).delta);
    check_event(*model.channel, model.domain, found.witness, Number(2));
  }
}

TEST_CASE("an infinite divergence names the outputs that are impossible given the neighbor") {
  Budget budget;
  const Model model = read_example(sized(20), R"({"type": "k_randomized_response", "epsilon": "inf"})", budget).model;
  REQUIRE(engine::has_pairs_to_class(*model.channel));
  MeasuredModel subject(model, budget);
  Arguments arguments;
  arguments.set("rho", Level());
  arguments.set("delta", Number::ratio(1, 50));
  const auto level = std::get<MeasuredLevel>(approximate_zcdp_notion().decide(subject, arguments).actual);
  CHECK(level.at_least.is_infinite());
  const Witness witness = level.witness.get();
  CHECK(witness.outputs == std::vector<std::string>{"0"});
  CHECK_FALSE(witness.likelihood_event);
  CHECK(witness.p_from.is_one());
}
