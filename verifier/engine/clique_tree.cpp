#include "verifier/engine/clique_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/budget.h"

namespace oddsbound::engine {

namespace {

class Elimination {
 public:
  Elimination(const DomainShape& shape, std::span<const Scope> scopes) : shape_(shape), neighbors_(shape.size()) {
    for (const Scope& scope : scopes) {
      for (const std::size_t i : scope) join(i, scope);
    }
    for (std::size_t i = 0; i < shape.size(); ++i) queue_.emplace(cost(i), i);
  }

  bool done() const { return queue_.empty(); }

  // Returns the next coordinate, followed by the coordinates that its elimination connects.
  Scope next() {
    const std::size_t chosen = queue_.begin()->second;
    queue_.erase(queue_.begin());
    const std::set<std::size_t> others = std::move(neighbors_[chosen]);
    for (const std::size_t other : others) queue_.erase({cost(other), other});
    const Scope tied(others.begin(), others.end());
    for (const std::size_t other : others) {
      neighbors_[other].erase(chosen);
      join(other, tied);
    }
    for (const std::size_t other : others) queue_.emplace(cost(other), other);
    Scope over{chosen};
    over.insert(over.end(), tied.begin(), tied.end());
    return over;
  }

 private:
  void join(std::size_t i, const Scope& scope) {
    for (const std::size_t other : scope) {
      if (other != i) neighbors_[i].insert(other);
    }
  }
  double cost(std::size_t i) const {
    double bits = std::log2(shape_[i]);
    for (const std::size_t other : neighbors_[i]) bits += std::log2(shape_[other]);
    return bits;
  }

  const DomainShape& shape_;
  std::vector<std::set<std::size_t>> neighbors_;
  std::set<std::pair<double, std::size_t>> queue_;
};

}  // namespace

std::optional<std::vector<Clique>> clique_tree(const DomainShape& shape, std::span<const Scope> scopes,
                                               Budget& budget) {
  constexpr double kMostJoint = 1 << 16;
  constexpr double kMostShared = 64;
  std::vector<Clique> cliques;
  std::vector<std::size_t> clique_of(shape.size());
  Elimination elimination(shape, scopes);
  while (!elimination.done()) {
    budget.check_every();
    const std::size_t k = cliques.size();
    cliques.push_back({elimination.next(), k, {}, {}});
    clique_of[cliques[k].over[0]] = k;
    double shared = 1;
    for (std::size_t j = 1; j < cliques[k].over.size(); ++j) shared *= shape[cliques[k].over[j]];
    if (shared > kMostShared || shared * shape[cliques[k].over[0]] > kMostJoint) return std::nullopt;
  }
  const auto first_of = [&](const auto begin, const auto end, std::size_t otherwise) {
    std::size_t first = otherwise;
    for (auto i = begin; i != end; ++i) first = std::min(first, clique_of[*i]);
    return first;
  };
  const std::size_t last = cliques.size() - 1;
  for (std::size_t k = 0; k < last; ++k) {
    cliques[k].parent = first_of(cliques[k].over.begin() + 1, cliques[k].over.end(), last);
    cliques[cliques[k].parent].children.push_back(k);
  }
  for (std::size_t s = 0; s < scopes.size(); ++s) {
    cliques[first_of(scopes[s].begin(), scopes[s].end(), last)].scopes.push_back(s);
  }
  return cliques;
}

}  // namespace oddsbound::engine
