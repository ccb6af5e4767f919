// Adaptive compositions, decomposed by their first answers, against the same compositions enumerated.

#include <doctest/doctest.h>
#include <memory>
#include <random>

#include "audits/exhaustive.h"
#include "base/errors.h"
#include "mechanisms/sampler.h"
#include "tests/support/effort.h"
#include "tests/support/families.h"
#include "tests/support/random_product.h"
#include "verifier/engine/decompose.h"
#include "verifier/engine/group_levels.h"
#include "verifier/engine/input_levels.h"
#include "verifier/model/channel.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/ldp.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

// A channel without zero entries.
ChannelPtr answer_to(Random& random, std::uint64_t inputs, std::size_t outputs) {
  std::vector<std::vector<Number>> rows;
  for (std::uint64_t x = 0; x < inputs; ++x) {
    std::vector<std::int64_t> weights;
    std::int64_t total = 0;
    for (std::size_t y = 0; y < outputs; ++y) {
      weights.push_back(static_cast<std::int64_t>(1 + below(random, 5)));
      total += weights.back();
    }
    std::vector<Number>& row = rows.emplace_back();
    for (const std::int64_t weight : weights) row.push_back(Number::ratio(weight, total));
  }
  return channel_of_rows(rows);
}

struct Composition {
  ChannelPtr first;
  std::vector<ChannelPtr> then;
};

// The first mechanism sees some of the coordinates. The others are products on the same domain, or absent.
Composition random_composition(Random& random, const KindOfPrior& kind, Entries entries, Model& model) {
  model = random_product(random, kind, entries);
  std::vector<std::size_t> seen;
  for (const std::size_t i : every_coordinate(model.domain)) {
    if (below(random, 2) == 0) seen.push_back(i);
  }
  if (seen.empty()) seen.push_back(0);
  const std::size_t answers = 1 + below(random, 3);
  Composition composition;
  composition.first = std::make_shared<const ProductChannel>(
      model.domain, std::vector<Factor>{{answer_to(random, model.domain.restricted_to(seen).inputs(), answers), seen}},
      false);
  composition.then.push_back(model.channel);
  while (composition.then.size() < answers) {
    if (below(random, 3) == 0) {
      composition.then.push_back(random_channel(random, model.domain, entries, 3));
      continue;
    }
    std::vector<Factor> parts;
    const std::size_t count = 1 + below(random, 2);
    while (parts.size() < count) {
      const std::size_t i = below(random, model.domain.size());
      parts.push_back({random_channel(random, model.domain.restricted_to(std::vector{i}), entries, 3), {i}});
    }
    composition.then.push_back(std::make_shared<const ProductChannel>(model.domain, std::move(parts)));
  }
  return composition;
}

void check_witness(const Model& model, const InputLevel& level) {
  const InputPair pair = level.witness.get();
  CHECK(level_between(model.channel->entry_at(model.domain, pair.from, pair.output),
                      model.channel->entry_at(model.domain, pair.to, pair.output)) == level.at_least);
}

}  // namespace

TEST_CASE("an adaptive composition has the levels of its branches, which are those of all its outputs") {
  Random random(2214);
  const int rounds = effort(150, 8);
  for (int round = 0; round < rounds; ++round) {
    const auto& kinds = kinds_of_priors();
    const KindOfPrior& kind = kinds[static_cast<std::size_t>(round) % kinds.size()];
    CAPTURE(round);
    CAPTURE(kind.name);
    Model model;
    const Composition parts =
        random_composition(random, kind, round % 4 == 0 ? Entries::kWithExp : Entries::kRational, model);
    Budget budget;
    const ChannelPtr listed = adaptive_channel(parts.first, parts.then, budget);
    model.channel = std::make_shared<const AdaptiveChannel>(model.domain, parts.first, parts.then, budget);
    const Model whole{model.domain, listed, model.prior};
    REQUIRE(model.channel->outputs() == listed->outputs());
    for (std::uint64_t y = 0; y < listed->outputs(); ++y) {
      CHECK(model.channel->output_label(y) == listed->output_label(y));
      for (std::uint64_t x = 0; x < model.domain.inputs(); ++x)
        CHECK(model.channel->entry(x, y) == listed->entry(x, y));
    }
    for (std::uint64_t y = 0; y < listed->outputs(); ++y) CHECK(join(*model.channel, model.channel->split(y)) == y);
    MeasuredModel taken_apart(model, budget);
    CHECK(ldp_level(taken_apart).at_least == naive_ldp(whole));
    check_witness(model, ldp_level(taken_apart));
    CHECK(bdp_level(taken_apart).at_least == naive_bdp(whole));
    check_witness(model, bdp_level(taken_apart));
    std::vector<std::uint32_t> labels;
    for (std::uint64_t x = 0; x < model.domain.inputs(); ++x) labels.push_back(x % 2 == 0 ? 0 : 1);
    const Partition secret = Partition::by_label(model.domain, std::move(labels), 2);
    MeasuredModel enumerated(whole, budget);
    CHECK(level_between_labels(taken_apart, secret, 1e8).at_least ==
          level_between_labels(enumerated, secret, 1e8).at_least);
    for (const std::size_t i : every_coordinate(model.domain)) {
      CHECK(cdp_levels(taken_apart)[i].at_least == naive_cdp(whole, i));
      check_witness(model, cdp_levels(taken_apart)[i]);
      const GroupLevel& level = bcdp_levels(taken_apart)[i];
      CHECK(level.at_least == naive_bcdp(whole, i));
      const FoundOutput found = level.witness.get();
      CHECK(found.p_from == conditional(model, i, level.from, found.output));
      CHECK(found.p_to == conditional(model, i, level.to, found.output));
    }
  }
}

TEST_CASE("where an input cannot have some output of the first mechanism, the composition is not taken apart") {
  const Domain domain({{"x", {"0", "1"}}});
  const ChannelPtr first = channel_of_rows({{Number(1), Number(0)}, {Number::ratio(1, 2), Number::ratio(1, 2)}});
  Budget budget;
  CHECK_THROWS_AS(AdaptiveChannel(domain, first, {first, first}, budget), LimitError);
}

TEST_CASE("the first answer chooses who answers next, and the sampler draws what the channel states") {
  Random random(2215);
  for (int round = 0; round < 10; ++round) {
    CAPTURE(round);
    Model model;
    const Composition parts = random_composition(random, kinds_of_priors()[0], Entries::kRational, model);
    Budget budget;
    const AdaptiveChannel channel(model.domain, parts.first, parts.then, budget);
    std::vector<Stage> then;
    for (const ChannelPtr& second : parts.then) then.push_back({second, row_sampler(second)});
    const SamplerPtr sampler = adaptive_sampler({parts.first, row_sampler(parts.first)}, std::move(then));
    const ExhaustiveResult result = check_exhaustively(channel, *sampler, ExhaustiveOptions{}, budget);
    CHECK(result.passed());
    CHECK(result.entries == channel.inputs() * channel.outputs());
  }
}

TEST_CASE("of two levels the larger is taken, and what is open of both") {
  const auto level = [](std::int64_t ratio) { return Level::of_exponential(Number(ratio)); };
  GroupLevel found;
  found.at_least = level(4);
  found.nodes = 3;
  GroupLevel open;
  open.at_least = level(2);
  open.nodes = 5;
  open.unfinished = Unfinished{level(6), "the time"};
  GroupLevel largest = found;
  take_larger(largest, open);
  CHECK(largest.at_least == level(4));
  REQUIRE(largest.unfinished.has_value());
  CHECK(largest.unfinished->at_most == level(6));
  CHECK(*largest.nodes == 8);
  open.unfinished->at_most = level(3);
  largest = open;
  take_larger(largest, found);
  CHECK(largest.at_least == level(4));
  CHECK_FALSE(largest.unfinished.has_value());
}

TEST_CASE("an output that is more likely given the other side shows nothing, and loses to one that does") {
  GroupLevel nothing;
  nothing.attain({{1}, Number::ratio(1, 3), Number::ratio(1, 2)});
  CHECK_FALSE(nothing.shows_something());
  CHECK(nothing.at_least == Level());
  CHECK(nothing.witness.get().p_from == Number::ratio(1, 3));
  const auto shift = [](std::vector<std::uint64_t>& output) { output.push_back(7); };
  change_output(nothing, shift);
  CHECK_FALSE(nothing.shows_something());
  GroupLevel equal;
  equal.attain({{2}, Number::ratio(1, 2), Number::ratio(1, 2)});
  change_output(equal, shift);
  CHECK(equal.at_least == Level());
  take_larger(nothing, equal);
  CHECK(nothing.shows_something());
  CHECK(nothing.witness.get().output == std::vector<std::uint64_t>{2, 7});
}

TEST_CASE("the transport bound of the larger level covers both, and is unknown if one is") {
  const auto bounded = [](std::int64_t at_least, std::int64_t bound) {
    GroupLevel result;
    result.at_least = Level::of_exponential(Number(at_least));
    result.transport_bound = Level::of_exponential(Number(bound));
    return result;
  };
  for (const auto& [first, second] : {std::pair(3, 5), std::pair(5, 3)}) {
    GroupLevel largest = bounded(2, first);
    take_larger(largest, bounded(3, second));
    CHECK(largest.at_least == Level::of_exponential(Number(3)));
    CHECK(largest.transport_bound == Level::of_exponential(Number(5)));
  }
  GroupLevel largest = bounded(2, 3), unbounded = bounded(3, 4);
  unbounded.transport_bound.reset();
  take_larger(largest, unbounded);
  CHECK_FALSE(largest.transport_bound.has_value());
}

using oddsbound::testing::read_example;

namespace {

using Blocks = std::vector<std::vector<std::uint64_t>>;

// A random partition of the inputs of a 2 x 3 x 2 domain into blocks, as JSON.
std::string random_blocks(std::mt19937_64& random, Blocks& blocks) {
  blocks.assign(4, {});
  for (std::uint64_t x = 0; x < 12; ++x) blocks[random() % 4].push_back(x);
  std::erase_if(blocks, [](const auto& group) { return group.empty(); });
  std::string text;
  for (const auto& group : blocks) {
    std::string items;
    for (const std::uint64_t x : group) {
      items += (items.empty() ? "" : ", ") + std::string("[\"") + std::to_string(x / 6) + "\", \"" +
               std::to_string(x / 2 % 3) + "\", \"" + std::to_string(x % 2) + "\"]";
    }
    text += (text.empty() ? "[" : ", [") + items + "]";
  }
  return "[" + text + "]";
}

struct Levels {
  std::vector<Level> levels;
  bool by_cases = false;
  void add(const InputLevel& level, const Model& model) {
    levels.push_back(level.at_least);
    by_cases |= level.way == Way::kCases;
    check_witness(model, level);
  }
};

Levels levels_of(const Model& model, bool use_disjoint_parts, const Blocks& blocks, const Inputs& sensitive) {
  Limits limits;
  limits.use_disjoint_parts = use_disjoint_parts;
  Budget budget(limits);
  MeasuredModel subject(model, budget);
  Levels result;
  result.add(ldp_level(subject), model);
  result.add(bdp_level(subject), model);
  for (const InputLevel& level : cdp_levels(subject)) result.add(level, model);
  result.add(level_among(subject, {blocks}), model);
  result.add(level_among(subject, {std::vector<std::vector<std::uint64_t>>{sensitive.inputs}, true}), model);
  return result;
}

}  // namespace

TEST_CASE("levels by cases are those of the columns, with witnesses that show them") {
  std::mt19937_64 random(11);
  for (int round = 0; round < 60; ++round) {
    Blocks mechanism_blocks;
    const std::string blocks = random_blocks(random, mechanism_blocks);
    CAPTURE(blocks);
    Budget budget;
    Spec spec =
        read_example(R"j([{"name": "a", "size": 2}, {"name": "b", "size": 3}, {"name": "c", "size": 2}])j",
                     R"j({"type": "block_hadamard_response", "epsilon": "log(3)", "blocks": )j" + blocks + "}", budget);
    std::vector<Number> weights;
    for (int x = 0; x < 12; ++x) weights.emplace_back(static_cast<std::int64_t>(random() % 3));
    weights[static_cast<std::size_t>(round % 12)] = Number(1);
    spec.model.prior = Prior::from_weights(spec.model.domain, weights, budget);
    Blocks claimed;
    random_blocks(random, claimed);
    const Blocks& asked = round % 3 == 0 ? mechanism_blocks : claimed;
    const Inputs sensitive{{random() % 6, 6 + random() % 6}};
    const Levels by_cases = levels_of(spec.model, true, asked, sensitive);
    const Levels by_columns = levels_of(spec.model, false, asked, sensitive);
    CHECK(by_cases.levels == by_columns.levels);
    CHECK(by_cases.by_cases);
    CHECK_FALSE(by_columns.by_cases);
  }
}
