// How sums over many coordinates come apart where the terms are products of tables over few of them each: a tree of
// cliques, in which what lies behind an edge says about the rest only what it says about the edge's coordinates.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "verifier/model/prior.h"

namespace oddsbound::networks {

using Scope = std::vector<std::size_t>;  // coordinates

struct Clique {
  Scope over;                         // the coordinate that is summed out here first, then those towards the parent
  std::size_t parent = 0;             // a later clique; of the last one, itself
  std::vector<std::size_t> children;  // earlier ones
  std::vector<std::size_t> scopes;    // the numbers of those that are this clique's own
  Scope towards_parent() const { return Scope(over.begin() + 1, over.end()); }
};

/// One clique for each coordinate, in the order of a sum that keeps tables small (a greedy choice: the next coordinate
/// is one whose sum takes the smallest table). Every scope is within the clique that owns it. None if the coordinates
/// of a clique have too many joint values (2^16), or those that it shares with its parent (64): of so many nearly
/// everything that can be told is an extreme case.
std::optional<std::vector<Clique>> clique_tree(const DomainShape& shape, std::span<const Scope> scopes, Budget& budget);

}  // namespace oddsbound::networks
