// Probabilistic DP: masses computed by hand, products by their parts, and all of it against plain loops.
#include "verifier/notions/probabilistic.h"

#include <doctest/doctest.h>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/exact/expression.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/delta_by_parts.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

MeasuredNumber tail_of(const Model& model, const Level& epsilon, const std::string& neighbors = "") {
  Budget budget;
  MeasuredModel subject(model, budget);
  Arguments arguments;
  arguments.set("epsilon", epsilon);
  arguments.set("delta", Number(0));
  if (!neighbors.empty()) arguments.set("neighbors", neighbors);
  return std::get<MeasuredNumber>(probabilistic_dp_notion().decide(subject, arguments).actual);
}

Level tail_level(const std::string& text) { return as_level(evaluate_expression(text)); }

Number plain_tail(const Model& model, const Number& factor, bool by_coordinate) {
  const auto rows = rows_of(*model.channel);
  Number largest(0);
  for (std::uint64_t x = 0; x < rows.size(); ++x) {
    for (std::uint64_t z = 0; z < rows.size(); ++z) {
      if (by_coordinate && differing(model.domain, x, z) > 1) continue;
      Number mass(0);
      for (std::size_t y = 0; y < rows[x].size(); ++y) {
        if (rows[x][y] > factor * rows[z][y]) mass += rows[x][y];
      }
      largest = std::max(largest, mass);
    }
  }
  return largest;
}

ChannelPtr kept_answers(const Number& keep) {
  return channel_of_rows({{keep, Number(1) - keep}, {Number(1) - keep, keep}});
}

Model runs_of(const Domain& domain, const std::vector<Factor>& parts, std::size_t times) {
  std::vector<Factor> factors;
  for (std::size_t run = 0; run < times; ++run) factors.insert(factors.end(), parts.begin(), parts.end());
  return {domain, std::make_shared<ProductChannel>(domain, factors), {}};
}

}  // namespace

TEST_CASE("masses that are computed by hand") {
  // Three answers that are kept with 3/4: the loss is 3 log(3) with 27/64, log(3) with 27/64, and negative otherwise.
  const Model three = runs_of(domain_of_sizes({2}), {{kept_answers(Number::ratio(3, 4)), {0}}}, 3);
  CHECK(tail_of(three, tail_level("log(3)")).at_least == Number::ratio(27, 64));
  CHECK(tail_of(three, Level()).at_least == Number::ratio(54, 64));
  CHECK(tail_of(three, tail_level("3*log(3)")).at_least.is_zero());
  // 3-randomized response that keeps 8/10, at e^epsilon = 3.
  const Number keep = Number::ratio(8, 10), lie = Number::ratio(1, 10);
  const Model krr{domain_of_sizes({3}), channel_of_rows({{keep, lie, lie}, {lie, keep, lie}, {lie, lie, keep}}), {}};
  CHECK(tail_of(krr, tail_level("log(3)")).at_least == keep);
  // An output that is impossible given the neighbor has an infinite loss.
  const Model never{domain_of_sizes({2}), channel_of_rows({{lie, Number(1) - lie}, {Number(0), Number(1)}}), {}};
  CHECK(tail_of(never, tail_level("1000")).at_least == lie);
  CHECK(tail_of(never, Level::infinite()).at_least.is_zero());
}

TEST_CASE("merging outputs may raise the mass") {
  const auto number = [](std::int64_t percent) { return Number::ratio(percent, 100); };
  const Model before{domain_of_sizes({2}),
                     channel_of_rows({{number(4), number(3), number(93)}, {number(1), number(2), number(97)}}),
                     {}};
  const Model after{domain_of_sizes({2}), channel_of_rows({{number(7), number(93)}, {number(3), number(97)}}), {}};
  const Level epsilon = tail_level("log(5/2)");
  CHECK(tail_of(before, epsilon).at_least == number(4));
  CHECK(tail_of(after, epsilon).at_least.is_zero());
  CHECK(tail_of(before, tail_level("log(9/4)")).at_least == number(4));
  CHECK(tail_of(after, tail_level("log(9/4)")).at_least == number(7));
}

TEST_CASE("masses are those of plain loops") {
  Random random(7113);
  for (int round = 0; round < effort(300, 60); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, Entries::kRational);
    for (const char* level : {"0", "log(2)", "log(3)", "1"}) {
      const Level epsilon = tail_level(level);
      for (const bool by_coordinate : {false, true}) {
        const MeasuredNumber found = tail_of(model, epsilon, by_coordinate ? "coordinate" : "");
        CHECK(found.at_least == plain_tail(model, epsilon.exponential(), by_coordinate));
        CHECK(found.witness.p_from == found.at_least);
      }
    }
  }
}

// The pair with the larger losses of a part is not always worst: at some levels it is equal values of the other part.
TEST_CASE("masses of products are those of all outputs") {
  Random random(7114);
  int largest_of_fewer = 0;
  for (int round = 0; round < effort(30, 6, 2); ++round) {
    CAPTURE(round);
    const auto keep = [&] { return Number::ratio(11 + static_cast<std::int64_t>(below(random, 9)), 20); };
    const Domain domain = domain_of_sizes({2, 2});
    const ChannelPtr first = kept_answers(keep()), second = kept_answers(keep());
    const Model product = runs_of(domain, {{first, {0}}, {second, {1}}}, 7);  // 2^14 outputs
    REQUIRE(has_losses_by_parts(*product.channel));
    for (const char* level : {"0", "log(3/2)", "log(4)"}) {
      const Level epsilon = tail_level(level);
      const MeasuredNumber found = tail_of(product, epsilon);
      CHECK(found.at_least == plain_tail(product, epsilon.exponential(), false));
      CHECK(tail_of(product, epsilon, "coordinate").at_least == plain_tail(product, epsilon.exponential(), true));
      const auto& from = std::get<std::vector<std::string>>(found.witness.from);
      const auto& to = std::get<std::vector<std::string>>(found.witness.to);
      largest_of_fewer += from[0] == to[0] || from[1] == to[1] ? 1 : 0;
    }
  }
  CHECK(largest_of_fewer > 0);
}
