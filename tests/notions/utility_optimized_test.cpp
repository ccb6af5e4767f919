// Utility-optimized LDP: levels computed by hand, and all of it against plain loops over the definition: products by
// their parts, explicit protected outputs, and relations to other notions.
#include "verifier/notions/utility_optimized.h"

#include <doctest/doctest.h>

#include "tests/support/effort.h"
#include "tests/support/random_model.h"
#include "verifier/exact/expression.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/context.h"
#include "verifier/notions/ldp.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

using Places = std::vector<std::uint64_t>;

Decision decide_protected(const Model& model, const Places& sensitive, std::optional<Places> named = {},
                          const Level& epsilon = Level::infinite()) {
  Budget budget;
  MeasuredModel subject(model, budget);
  Arguments arguments;
  arguments.set("sensitive", Inputs{sensitive});
  if (named) {
    Outputs outputs;
    for (const std::uint64_t y : *named) outputs.outputs.push_back(model.channel->split(y));
    arguments.set("protected", std::move(outputs));
  }
  arguments.set("epsilon", epsilon);
  return utility_optimized_ldp_notion().decide(subject, arguments);
}

MeasuredLevel protected_level_of(const Model& model, const Places& sensitive, std::optional<Places> named = {}) {
  return std::get<MeasuredLevel>(decide_protected(model, sensitive, std::move(named)).actual);
}

Level protected_text(const std::string& text) { return as_level(evaluate_expression(text)); }

bool is_in(const Places& places, std::uint64_t x) { return std::find(places.begin(), places.end(), x) != places.end(); }

// By the definition: with the named outputs, or with whatever is best for each output.
Level plain_protected(const Model& model, const Places& sensitive, const std::optional<Places>& named = {}) {
  const auto rows = rows_of(*model.channel);
  Level largest;
  for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
    Level if_protected;
    std::size_t possible = 0;
    bool reveals_sensitive = false;
    for (std::uint64_t x = 0; x < rows.size(); ++x) {
      if (rows[x][y].is_zero()) continue;
      ++possible;
      reveals_sensitive = reveals_sensitive || is_in(sensitive, x);
      for (std::uint64_t z = 0; z < rows.size(); ++z) {
        if (rows[z][y].is_zero()) {
          if_protected = Level::infinite();
        } else if (rows[x][y] > rows[z][y]) {
          if_protected = std::max(if_protected, Level::of_exponential(rows[x][y] / rows[z][y]));
        }
      }
    }
    const Level otherwise = possible <= 1 && !reveals_sensitive ? Level() : Level::infinite();
    const Level best = !named || possible == 0 ? std::min(if_protected, otherwise)
                       : is_in(*named, y)      ? if_protected
                                               : otherwise;
    largest = std::max(largest, best);
  }
  return largest;
}

// Shared outputs, some of them not possible for all inputs, and outputs of one input each.
ChannelPtr revealing_channel(Random& random, std::size_t inputs) {
  const std::size_t shared = 1 + below(random, 3);
  const bool has_gaps = below(random, 4) == 0;
  std::vector<std::vector<Number>> rows;
  for (std::size_t x = 0; x < inputs; ++x) {
    std::vector<std::int64_t> weights(shared + inputs, 0);
    for (std::size_t y = 0; y < shared; ++y) {
      weights[y] = has_gaps && below(random, 3) == 0 ? 0 : 1 + static_cast<std::int64_t>(below(random, 3));
    }
    if (below(random, 3) == 0) weights[shared + x] = 1 + static_cast<std::int64_t>(below(random, 3));
    std::int64_t total = 0;
    for (const std::int64_t weight : weights) total += weight;
    if (total == 0) total = weights[0] = 1;
    auto& row = rows.emplace_back();
    for (const std::int64_t weight : weights) row.push_back(Number::ratio(weight, total));
  }
  return channel_of_rows(std::move(rows));
}

Places random_inputs(Random& random, std::uint64_t inputs) {
  Places chosen;
  for (std::uint64_t x = 0; x < inputs; ++x) {
    if (below(random, 3) == 0) chosen.push_back(x);
  }
  if (chosen.empty()) chosen.push_back(below(random, inputs));
  return chosen;
}

// The witness is evidence by itself, with the sensitive inputs and the named outputs of the claim.
void check_witness(const Model& model, const Places& sensitive, const std::optional<Places>& named,
                   const MeasuredLevel& found) {
  const Witness witness = found.witness.get();
  const auto number = [&](const Label& label) {
    std::uint64_t x = 0;
    while (model.domain.tuple(x) != std::get<std::vector<std::string>>(label)) ++x;
    return x;
  };
  std::uint64_t y = 0;
  while (model.channel->output_label(y) != witness.outputs.at(0)) ++y;
  const std::uint64_t from = number(witness.from), to = number(witness.to);
  CHECK(model.channel->entry(from, y) == witness.p_from);
  CHECK(model.channel->entry(to, y) == witness.p_to);
  CHECK(witness.p_from.sign() > 0);
  if (witness.unprotected) {
    CHECK(!is_in(named.value(), y));
    CHECK(witness.p_to.sign() > 0);
    CHECK((from == to ? is_in(sensitive, from) : true));
    return;
  }
  if (named) CHECK(is_in(*named, y));
  if (!found.at_least.is_infinite()) {
    CHECK(witness.p_from == found.at_least.exponential() * witness.p_to);
    return;
  }
  CHECK(witness.p_to.is_zero());
  CHECK(witness.also.has_value() == (!named && !is_in(sensitive, from)));
  if (witness.also) {
    CHECK(number(witness.also->input) != from);
    CHECK(model.channel->entry(number(witness.also->input), y) == witness.also->p);
    CHECK(witness.also->p.sign() > 0);
  }
}

}  // namespace

TEST_CASE("utility-optimized levels that are computed by hand") {
  // The paper's randomized response with two sensitive inputs of four, e^epsilon = 3.
  const Number zero(0), quarter = Number::ratio(1, 4), half = Number::ratio(1, 2);
  const Model model{domain_of_sizes({4}),
                    channel_of_rows({{Number::ratio(3, 4), quarter, zero, zero},
                                     {quarter, Number::ratio(3, 4), zero, zero},
                                     {quarter, quarter, half, zero},
                                     {quarter, quarter, zero, half}}),
                    {}};
  CHECK(protected_level_of(model, {0, 1}).at_least == protected_text("log(3)"));
  CHECK(protected_level_of(model, {0}).at_least == protected_text("log(3)"));
  CHECK(protected_level_of(model, {0, 1}, Places{0, 1}).at_least == protected_text("log(3)"));
  // Output 2 reveals input 2.
  const MeasuredLevel sensitive = protected_level_of(model, {0, 2});
  CHECK(sensitive.at_least.is_infinite());
  CHECK(std::get<std::vector<std::string>>(sensitive.witness.get().from) == std::vector<std::string>{"2"});
  CHECK(!sensitive.witness.get().also);
  // The mechanism determines the protected outputs.
  for (const Places& named : {Places{0}, Places{0, 1, 2}, Places{2, 3}, Places{0, 1, 2, 3}}) {
    CHECK(protected_level_of(model, {0, 1}, named).at_least.is_infinite());
  }
  const Witness unprotected = protected_level_of(model, {0, 1}, Places{0}).witness.get();
  CHECK(unprotected.unprotected);
  CHECK(unprotected.from == unprotected.to);
  // An output that no input has may be on either side.
  const Model never{
      domain_of_sizes({2}), channel_of_rows({{half, half, zero}, {quarter, Number::ratio(3, 4), zero}}), {}};
  CHECK(protected_level_of(never, {0}, Places{0, 1}).at_least == protected_text("log(2)"));
  CHECK(protected_level_of(never, {0}, Places{0, 1, 2}).at_least == protected_text("log(2)"));
  CHECK(decide_protected(model, {0, 1}, {}, protected_text("log(3)")).holds == Answer::kYes);
  CHECK(decide_protected(model, {0, 1}, {}, protected_text("log(299/100)")).holds == Answer::kNo);
  CHECK(decide_protected(model, {0, 2}, {}, Level::infinite()).holds == Answer::kYes);
}

TEST_CASE("utility-optimized levels are those of plain loops") {
  Random random(7201);
  int infinite = 0, revealing = 0, named_and_finite = 0;
  for (int round = 0; round < effort(600, 120); ++round) {
    CAPTURE(round);
    const std::size_t inputs = 1 + below(random, 5);
    const Model model{domain_of_sizes({inputs}), revealing_channel(random, inputs), {}};
    const Places sensitive = random_inputs(random, inputs);
    const MeasuredLevel found = protected_level_of(model, sensitive);
    const Level plain = plain_protected(model, sensitive);
    CHECK(found.at_least == plain);
    CHECK(!found.unfinished);
    check_witness(model, sensitive, {}, found);
    infinite += plain.is_infinite() ? 1 : 0;
    Places all;
    for (std::uint64_t x = 0; x < inputs; ++x) all.push_back(x);
    revealing += !plain.is_infinite() && plain_protected(model, all).is_infinite() ? 1 : 0;
    Places named;
    for (std::uint64_t y = 0; y < model.channel->outputs(); ++y) {
      std::size_t having = 0;
      bool hides = false;
      for (std::uint64_t x = 0; x < inputs; ++x) {
        if (model.channel->entry(x, y).is_zero()) continue;
        ++having;
        hides = hides || is_in(sensitive, x);
      }
      if ((having > 1 || hides) != (below(random, 16) == 0)) named.push_back(y);
    }
    if (named.empty()) continue;
    const MeasuredLevel by_name = protected_level_of(model, sensitive, named);
    CHECK(by_name.at_least == plain_protected(model, sensitive, named));
    check_witness(model, sensitive, named, by_name);
    // Other outputs than those that must be protected never give another finite level.
    if (by_name.at_least.is_infinite()) continue;
    CHECK(by_name.at_least == plain);
    ++named_and_finite;
  }
  CHECK(infinite > 0);
  CHECK(revealing > 0);
  CHECK(named_and_finite > 0);
}

TEST_CASE("utility-optimized levels of products follow from their parts") {
  Random random(7202);
  int infinite = 0, revealing = 0, shared = 0;
  for (int round = 0; round < effort(400, 100); ++round) {
    CAPTURE(round);
    const std::vector<std::size_t> sizes = below(random, 2) == 0 ? std::vector<std::size_t>{2 + below(random, 3)}
                                                                 : std::vector<std::size_t>{2, 1 + below(random, 3)};
    const Domain domain = domain_of_sizes(sizes);
    std::vector<Factor> factors;
    const std::size_t parts = 2 + below(random, 2);
    for (std::size_t k = 0; k < parts; ++k) {
      if (k > 0 && below(random, 3) == 0) {
        factors.push_back(factors.back());
        continue;
      }
      std::vector<std::size_t> seen{below(random, sizes.size())};
      if (sizes.size() == 2 && below(random, 2) == 0) seen = below(random, 2) == 0 ? Places{0, 1} : Places{1, 0};
      std::size_t inputs = 1;
      for (const std::size_t i : seen) inputs *= sizes[i];
      factors.push_back({revealing_channel(random, inputs), seen});
    }
    const Model model{domain, std::make_shared<ProductChannel>(domain, factors), {}};
    const Places sensitive = random_inputs(random, domain.inputs());
    const MeasuredLevel found = protected_level_of(model, sensitive);
    const Level plain = plain_protected(model, sensitive);
    CHECK(found.at_least == plain);
    check_witness(model, sensitive, {}, found);
    infinite += plain.is_infinite() ? 1 : 0;
    shared += found.witness.get().also ? 1 : 0;
    Budget budget;
    MeasuredModel subject(model, budget);
    revealing += !plain.is_infinite() && ldp_level(subject).at_least.is_infinite() ? 1 : 0;
  }
  CHECK(infinite > 0);
  CHECK(shared > 0);
  CHECK(revealing > 0);
}

TEST_CASE("utility-optimized levels of many runs add up") {
  const Number zero(0), quarter = Number::ratio(1, 4), half = Number::ratio(1, 2);
  const ChannelPtr run = channel_of_rows(
      {{Number::ratio(3, 4), quarter, zero}, {quarter, Number::ratio(3, 4), zero}, {quarter, quarter, half}});
  const Domain domain = domain_of_sizes({3});
  const Model runs{domain, std::make_shared<ProductChannel>(domain, std::vector<Factor>(1000, Factor{run, {0}})), {}};
  CHECK(protected_level_of(runs, {0}).at_least == protected_text("1000*log(3)"));
  CHECK(protected_level_of(runs, {0, 2}).at_least.is_infinite());
  // Two attributes: the output of one alone is possible for several inputs.
  const Domain both = domain_of_sizes({3, 2});
  std::vector<Factor> factors(500, Factor{run, {0}});
  factors.push_back({channel_of_rows({{half, half}, {quarter, Number::ratio(3, 4)}}), {1}});
  const Model attributes{both, std::make_shared<ProductChannel>(both, factors), {}};
  const MeasuredLevel found = protected_level_of(attributes, {0});
  CHECK(found.at_least.is_infinite());
  CHECK(found.witness.get().also.has_value());
}

TEST_CASE("utility-optimized levels relate to others as the manual says") {
  Random random(7203);
  for (int round = 0; round < effort(200, 50); ++round) {
    CAPTURE(round);
    const Model model = random_model(random, Entries::kRational);
    Budget budget;
    MeasuredModel subject(model, budget);
    Places sensitive;
    for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) sensitive.push_back(x);
    const auto high_low = [&] {
      Arguments arguments;
      arguments.set("sensitive", Inputs{sensitive});
      arguments.set("epsilon", Level::infinite());
      return std::get<MeasuredLevel>(high_low_ldp_notion().decide(subject, arguments).actual).at_least;
    };
    Level before = protected_level_of(model, sensitive).at_least;
    CHECK(before == ldp_level(subject).at_least);
    CHECK(before == high_low());
    while (sensitive.size() > 1) {
      sensitive.erase(sensitive.begin() + static_cast<std::ptrdiff_t>(below(random, sensitive.size())));
      const Level level = protected_level_of(model, sensitive).at_least;
      CHECK(level <= before);
      CHECK(high_low() <= level);
      CHECK((before.is_infinite() || level == before));
      CHECK(level == plain_protected(model, sensitive));
      before = level;
    }
  }
}
