#include "verifier/structure/input_levels.h"

#include <doctest/doctest.h>

#include <random>

#include "tests/support/families.h"
#include "verifier/notions/bcdp.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/context.h"
#include "verifier/notions/ldp.h"

using namespace oddsbound;
using oddsbound::testing::read_example;

namespace {

// A random partition of the inputs of a 2 x 3 x 2 domain into blocks, as JSON.
std::string random_blocks(std::mt19937_64& random, InputGroups& blocks) {
  blocks.groups.assign(4, {});
  for (std::uint64_t x = 0; x < 12; ++x) blocks.groups[random() % 4].push_back(x);
  std::erase_if(blocks.groups, [](const auto& group) { return group.empty(); });
  std::string text;
  for (const auto& group : blocks.groups) {
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
    levels.push_back(level.level);
    by_cases |= level.by_cases;
    // Every level is re-derivable from its witness.
    CHECK(level.level == level_between(model.channel->entry_at(model.domain, level.from, level.output),
                                       model.channel->entry_at(model.domain, level.to, level.output)));
  }
};

Levels levels_of(const Model& model, bool use_disjoint_parts, const InputGroups& blocks, const Inputs& sensitive) {
  Limits limits;
  limits.use_disjoint_parts = use_disjoint_parts;
  Budget budget(limits);
  MeasuredModel subject(model, budget);
  Levels result;
  result.add(ldp_level(subject), model);
  result.add(bdp_level(subject), model);
  for (const CdpLevel& level : cdp_levels(subject)) result.add(level.whole.get(), model);
  result.add(block_level(subject, blocks), model);
  result.add(high_low_level(subject, sensitive), model);
  return result;
}

}  // namespace

TEST_CASE("levels by cases are those of the columns, with witnesses that show them") {
  std::mt19937_64 random(11);
  for (int round = 0; round < 60; ++round) {
    InputGroups mechanism_blocks;
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
    InputGroups claimed;
    random_blocks(random, claimed);
    const InputGroups& asked = round % 3 == 0 ? mechanism_blocks : claimed;
    const Inputs sensitive{{random() % 6, 6 + random() % 6}};
    const Levels by_cases = levels_of(spec.model, true, asked, sensitive);
    const Levels by_columns = levels_of(spec.model, false, asked, sensitive);
    CHECK(by_cases.levels == by_columns.levels);
    CHECK(by_cases.by_cases);
    CHECK_FALSE(by_columns.by_cases);
  }
}
