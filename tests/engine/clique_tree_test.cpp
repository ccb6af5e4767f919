#include "verifier/engine/clique_tree.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace oddsbound;
using namespace oddsbound::engine;

namespace {

bool contains(const Scope& scope, std::size_t coordinate) {
  return std::find(scope.begin(), scope.end(), coordinate) != scope.end();
}

// Every scope is owned once, by a clique that contains it; every coordinate is summed out once; what a clique shares
// with its parent is in the parent, unless the parent is itself.
void check_tree(const std::vector<Clique>& cliques, const std::vector<Scope>& scopes, std::size_t coordinates) {
  REQUIRE(cliques.size() == coordinates);
  std::set<std::size_t> owned, summed;
  for (std::size_t k = 0; k < cliques.size(); ++k) {
    const Clique& clique = cliques[k];
    CHECK(summed.insert(clique.over.front()).second);
    for (const std::size_t s : clique.scopes) {
      CHECK(owned.insert(s).second);
      for (const std::size_t i : scopes[s]) CHECK(contains(clique.over, i));
    }
    if (k + 1 == cliques.size()) {
      CHECK(clique.parent == k);
      continue;
    }
    CHECK(clique.parent > k);
    CHECK(contains(cliques[clique.parent].children, k));
    for (const std::size_t i : clique.towards_parent()) CHECK(contains(cliques[clique.parent].over, i));
  }
  CHECK(owned.size() == scopes.size());
}

}  // namespace

TEST_CASE("cliques of a chain have two coordinates each") {
  const DomainShape shape{2, 2, 2, 2};
  const std::vector<Scope> scopes{{0}, {0, 1}, {1, 2}, {2, 3}};
  Budget budget;
  const auto cliques = clique_tree(shape, scopes, budget);
  REQUIRE(cliques);
  check_tree(*cliques, scopes, 4);
  for (const Clique& clique : *cliques) CHECK(clique.over.size() <= 2);
}

TEST_CASE("cliques of a cycle of four have three coordinates at most") {
  const DomainShape shape{3, 3, 3, 3};
  const std::vector<Scope> scopes{{0, 1}, {1, 2}, {2, 3}, {0, 3}};
  Budget budget;
  const auto cliques = clique_tree(shape, scopes, budget);
  REQUIRE(cliques);
  check_tree(*cliques, scopes, 4);
  std::size_t widest = 0;
  for (const Clique& clique : *cliques) widest = std::max(widest, clique.over.size());
  CHECK(widest == 3);
}

TEST_CASE("a clique with too many joint values is refused") {
  Budget budget;
  const DomainShape wide{300, 300};  // 90,000 joint values
  CHECK_FALSE(clique_tree(wide, std::vector<Scope>{{0, 1}}, budget));
  const DomainShape shared{2, 70, 70};  // the middle one is shared with 70 states
  CHECK_FALSE(clique_tree(shared, std::vector<Scope>{{0, 1}, {1, 2}, {0, 2}}, budget));
}
