// Proofs of upper bounds close only pairs that are below the bound, leave no pair open, and stop with the budget.
// tests/checker/certificates.py checks their numbers without the library.

#include <doctest/doctest.h>
#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "base/budget.h"
#include "base/errors.h"
#include "tests/support/effort.h"
#include "tests/support/random_prior.h"
#include "verifier/engine/level_proof.h"
#include "verifier/engine/output_search.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/engine/search_node.h"
#include "verifier/model/product_channel.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

using Pairs = std::set<std::pair<std::uint32_t, std::uint32_t>>;

// Three outputs, all of positive probability: no level is infinite.
ChannelPtr possible_outputs(Random& random, std::uint64_t inputs, Entries entries) {
  std::vector<std::vector<Number>> rows(inputs);
  for (std::vector<Number>& row : rows) {
    Number total;
    for (int y = 0; y < 3; ++y) {
      row.emplace_back(static_cast<std::int64_t>(1 + below(random, 9)));
      if (entries == Entries::kWithExp && below(random, 3) == 0) row.back() *= Number::exp_of(Number::ratio(1, 2));
      total += row.back();
    }
    for (Number& entry : row) entry /= total;
  }
  return channel_of_rows(rows);
}

// Six parts of one of three coordinates each, some of them equal: more outputs than are enumerated at once.
Model asked_often(Random& random, Entries entries) {
  Model model;
  model.domain = Domain({{"a", {"0", "1", "2"}}, {"b", {"0", "1", "2"}}, {"c", {"0", "1", "2"}}});
  std::vector<Factor> parts;
  while (parts.size() < 6) {
    if (!parts.empty() && below(random, 5) == 0) parts.push_back(parts.back());
    const std::vector<std::size_t> seen{below(random, model.domain.size())};
    parts.push_back({possible_outputs(random, model.domain.values(seen[0]), entries), seen});
  }
  const auto& kinds = kinds_of_priors();
  model.channel = std::make_shared<const ProductChannel>(model.domain, std::move(parts));
  model.prior = kinds[below(random, kinds.size())].make(random, model.domain);
  return model;
}

Pairs all_pairs(const ProjectedRows& seen) {
  Pairs pairs;
  for (std::uint32_t a = 0; a < seen.masses.size(); ++a) {
    for (std::uint32_t b = 0; b < seen.masses.size(); ++b) {
      if (a != b && !seen.masses[a].is_zero() && !seen.masses[b].is_zero()) pairs.emplace(a, b);
    }
  }
  return pairs;
}

// Returns true if every path closes every pair exactly once, or ends in an enumerated node.
bool leaves_nothing_open(const ProjectedRows& seen, const LevelProof& proof, const ProofNode& node, std::size_t depth,
                         Pairs open) {
  if (node.enumerated) return node.closed.empty() && node.next.empty();
  for (const ClosedPair& pair : node.closed) {
    if (open.erase({pair.from, pair.to}) != 1) return false;
  }
  if (open.empty()) return node.next.empty();
  if (depth == proof.order.size() || node.next.size() != seen.factors[proof.order[depth]].outputs.size()) return false;
  return std::all_of(node.next.begin(), node.next.end(),
                     [&](const ProofNode& child) { return leaves_nothing_open(seen, proof, child, depth + 1, open); });
}

// Returns true if the pair is closed on the path to the output that the search found.
bool is_closed_above(const ProjectedRows& seen, const LevelProof& proof, const GroupLevel& found) {
  const ProofNode* node = &proof.root;
  for (std::size_t depth = 0;; ++depth) {
    const auto same = [&](const ClosedPair& pair) { return pair.from == found.from && pair.to == found.to; };
    if (std::any_of(node->closed.begin(), node->closed.end(), same)) return true;
    if (node->next.empty()) return false;
    const SeenFactor& factor = seen.factors[proof.order[depth]];
    std::vector<std::uint64_t> own;
    for (const std::size_t f : factor.factors) own.push_back(found.witness.get().output[f]);
    const auto place = std::find(factor.outputs.begin(), factor.outputs.end(), own);
    if (place == factor.outputs.end()) return false;  // represented by a permuted or proportional output
    node = &node->next[static_cast<std::size_t>(place - factor.outputs.begin())];
  }
}

Level scaled(const Level& level, std::int64_t thousandths) {
  return Level::of_exponential(std::max(Number(1), level.exponential() * Number::ratio(thousandths, 1000)));
}

std::size_t count_nodes(const ProofNode& node) {
  std::size_t count = 1;
  for (const ProofNode& child : node.next) count += count_nodes(child);
  return count;
}

std::size_t count_plans(const ProofNode& node) {
  auto count = static_cast<std::size_t>(std::count_if(node.closed.begin(), node.closed.end(),
                                                      [](const ClosedPair& pair) { return !pair.shares.empty(); }));
  for (const ProofNode& child : node.next) count += count_plans(child);
  return count;
}

void for_each_averaged(const ProofNode& node, std::size_t depth,
                       const std::function<void(const AveragedProof&, std::size_t)>& visit) {
  for (const ClosedPair& pair : node.closed) {
    if (pair.averaged) visit(*pair.averaged, depth);
  }
  for (const ProofNode& child : node.next) for_each_averaged(child, depth + 1, visit);
}

struct Asked {
  ProjectedRows seen;
  GroupLevel found;
};

Asked asked(Random& random, int round, Budget& budget) {
  const Model model = asked_often(random, round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
  ProjectedRows seen = rows_by_value(model, below(random, model.domain.size()), budget);
  GroupLevel found = search_outputs(seen, budget);
  return {std::move(seen), std::move(found)};
}

}  // namespace

TEST_CASE("a proof leaves nothing open above the level, and closes nothing that is larger") {
  Random random(91);
  Budget budget;
  std::size_t opened = 0;
  std::size_t plans = 0;
  std::size_t below_level = 0;
  for (int round = 0; round < effort(300, 60); ++round) {
    CAPTURE(round);
    const auto [seen, found] = asked(random, round, budget);
    if (found.at_least.is_infinite()) continue;
    for (const std::int64_t thousandths : {1001, 1100, 2000}) {
      const LevelProof proof = prove_level(seen, scaled(found.at_least, thousandths), budget);
      CHECK(leaves_nothing_open(seen, proof, proof.root, 0, all_pairs(seen)));
      opened += count_nodes(proof.root) > 1 ? 1 : 0;
      plans += count_plans(proof.root);
    }
    const Level less = scaled(found.at_least, 999);
    if (less.is_zero()) continue;
    const LevelProof wrong = prove_level(seen, less, budget);
    CHECK_FALSE(is_closed_above(seen, wrong, found));
    below_level += wrong.root.enumerated ? 0 : 1;
  }
  CHECK(opened > 20);
  CHECK(plans > 20);
  CHECK(below_level > 20);
}

TEST_CASE("averaged bounds close pairs, and none that is larger") {
  Random random(37);
  Budget budget;
  std::size_t averaged = 0, opened = 0, below_level = 0;
  for (int round = 0; round < effort(300, 60); ++round) {
    CAPTURE(round);
    const auto [seen, found] = asked(random, round, budget);
    if (found.at_least.is_infinite()) continue;
    for (const std::int64_t thousandths : {1001, 1100, 2000}) {
      const Level upper = scaled(found.at_least, thousandths);
      const LevelProof proof = prove_level(seen, upper, budget, 1e8, Averages::kAlways);
      CHECK(leaves_nothing_open(seen, proof, proof.root, 0, all_pairs(seen)));
      opened += count_nodes(proof.root) > 1 ? 1 : 0;
      for_each_averaged(proof.root, 0, [&](const AveragedProof& own, std::size_t depth) {
        CHECK(own.block < proof.order.size() - depth);
        CHECK(own.base > 1);
        CHECK_FALSE(own.powers.empty());
        ++averaged;
      });
    }
    const Level less = scaled(found.at_least, 999);
    if (less.is_zero()) continue;
    const LevelProof wrong = prove_level(seen, less, budget, 1e8, Averages::kAlways);
    CHECK_FALSE(is_closed_above(seen, wrong, found));
    below_level += wrong.root.enumerated ? 0 : 1;
  }
  CHECK(averaged > 100);
  CHECK(opened > 20);
  CHECK(below_level > 20);
}

TEST_CASE("what is known of a search that was stopped at once is proved at the root") {
  Random random(17);
  Budget budget;
  std::size_t proved = 0;
  for (int round = 0; round < 40; ++round) {
    const Model model = asked_often(random, Entries::kRational);
    const ProjectedRows seen = rows_by_value(model, 0, budget);
    const GroupLevel found = search_outputs(seen, budget, {.seconds = -1, .stop = {}, .report = {}});
    if (!found.unfinished || found.unfinished->at_most.is_infinite()) continue;
    const LevelProof proof = prove_level(seen, scaled(found.unfinished->at_most, 1001), budget);
    CHECK(proof.root.next.empty());
    if (!proof.root.enumerated) ++proved;
  }
  CHECK(proved > 5);
}

TEST_CASE("a proof ends with its time") {
  Random random(23);
  Budget budget;
  const ProjectedRows seen = rows_by_value(asked_often(random, Entries::kRational), 0, budget);
  CHECK_THROWS_AS(prove_level(seen, largest_loss(seen), budget, -1), LimitError);
}
