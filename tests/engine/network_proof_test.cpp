// The bound of a network proof is not below the level, and within a millionth of it. If the level is infinite, the
// reason is reported. tests/checker checks the proofs themselves.

#include <doctest/doctest.h>
#include <set>

#include "base/budget.h"
#include "tests/support/effort.h"
#include "tests/support/random_product.h"
#include "verifier/engine/level_proof.h"
#include "verifier/notions/bcdp.h"

using namespace oddsbound;
using namespace oddsbound::testing;

namespace {

// For each set, all factors and tables of its product, with multiplicity.
std::vector<std::multiset<std::size_t>> held_by(const NetworkProof& proof, std::size_t factors) {
  std::vector<std::multiset<std::size_t>> held;
  for (const ProofSet& set : proof.sets) {
    std::multiset<std::size_t>& own = held.emplace_back();
    if (set.factor) own.insert(*set.factor);
    for (const std::size_t table : set.tables) own.insert(factors + table);
    for (const std::size_t part : set.sets) own.insert(held.at(part).begin(), held.at(part).end());
  }
  return held;
}

}  // namespace

TEST_CASE("what is proved along networks of any shape is the level, but for a millionth") {
  Random random(91);
  Budget budget;
  int infinite = 0;
  int finite = 0;
  for (const KindOfPrior& kind : kinds_of_priors()) {
    for (int round = 0; round < effort(200, 30); ++round) {
      CAPTURE(kind.name);
      CAPTURE(round);
      const Model model = random_product(random, kind, round % 4 == 0 ? Entries::kWithExp : Entries::kRational);
      const std::optional<NetworkProof> proof = prove_network(model, budget);
      CHECK(proof.has_value() == !model.prior->tables().empty());
      if (!proof) break;
      const std::size_t factors = model.channel->factors().size();
      const auto held = held_by(*proof, factors);
      for (std::size_t i = 0; i < model.domain.size(); ++i) {
        const NetworkClaim& claim = proof->claims[i];
        const Level level = naive_bcdp(model, i);
        CHECK(level.is_infinite() == !claim.reason.empty());
        (level.is_infinite() ? infinite : finite) += 1;
        if (level.is_infinite()) continue;
        CHECK(claim.upper >= level.approx() - 1e-12);
        CHECK(claim.upper <= level.approx() + 1e-6);
        std::multiset<std::size_t> used;
        for (const std::size_t set : claim.sets) used.insert(held[set].begin(), held[set].end());
        CHECK(used.size() == factors + model.domain.size());
        CHECK(std::set(used.begin(), used.end()).size() == used.size());
      }
    }
  }
  CHECK(infinite > 0);
  CHECK(finite > 0);
}
