// A tree of cliques for sums over many coordinates of products of small tables (variable elimination). The part of the
// network behind an edge affects the rest only through the coordinates that the edge's two cliques share.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "verifier/model/prior.h"

namespace oddsbound::engine {

using Scope = std::vector<std::size_t>;  // coordinates

struct Clique {
  Scope over;                         // the coordinate summed out here, then those shared with the parent
  std::size_t parent = 0;             // index of a later clique; the last clique is its own parent
  std::vector<std::size_t> children;  // earlier cliques
  std::vector<std::size_t> scopes;    // indices of the scopes that this clique owns
  Scope towards_parent() const { return Scope(over.begin() + 1, over.end()); }
};

/// Returns one clique per coordinate, in an elimination order that keeps tables small (greedy: the next coordinate
/// is one whose elimination makes the smallest table). Every scope is contained in the clique that owns it.
/// Returns nullopt if a clique has more than 2^16 joint values, or shares more than 64 with its parent: with that
/// many states nearly every ray is an extreme ray, so pruning does not help.
std::optional<std::vector<Clique>> clique_tree(const DomainShape& shape, std::span<const Scope> scopes, Budget& budget);

}  // namespace oddsbound::engine
