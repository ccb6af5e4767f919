// How sums over many coordinates come apart where the terms are products of tables over few of them each: a tree of
// cliques, in which what lies behind an edge says about the rest only what it says about the edge's coordinates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "verifier/engine/ray_hull.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/exact/interval.h"
#include "verifier/model/prior.h"

namespace oddsbound::engine {

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

// What outputs say about a few coordinates: how likely they are for every joint value ("state") of these, as a ray, and
// sets of rays for all outputs of some factors.
//
// Only the rays at the edges of the cone of a set are kept (ray_hull.h). That is enough: a ratio between two sums over
// states, linear over linear in the ray, is largest at one of them, and products with other rays and sums over states
// are linear in each ray, so they take combinations to combinations.

struct RaySet;

struct Ray {
  std::vector<double> shares;        // by state; of sum 1
  std::vector<std::uint32_t> parts;  // which ray of each set that this one's was made of
  // By state, up to a factor; made when asked for.
  mutable std::tuple<std::vector<Number>, std::vector<Interval>> made{};
};

struct RaySet {
  Scope over;              // the last one fastest
  std::size_t states = 1;  // of these together
  std::vector<Ray> rays;
  double error = 0;                     // of each share, as a part of it; infinite where doubles do not reach
  double slack = 0;                     // that the rays left out are off by at most (ray_hull.h), all in all
  double step = 0;                      // of that, the most that one set added
  std::optional<std::size_t> factor{};  // whose outputs the rays are, by the first of their parts
  // Otherwise: products with the cells of a table, summed by state. Of each cell of the sum:
  std::vector<const RaySet*> made_of;
  std::vector<Number> cells;                         // of the table; empty: all 1
  std::vector<std::uint32_t> state;                  // here
  std::vector<std::vector<std::uint32_t>> state_of;  // in each set that it is made of
  // Where it is recorded why rays were left out: the table, if it is made with one; of all outputs of the factor or
  // choices of rays (of the last set fastest), by number, those that are kept, and all others that are possible.
  const WeightTable* table = nullptr;
  std::vector<std::size_t> kept{};
  std::vector<RedundantRay> left_out{};
};

/// A factor as the network sees it.
struct SeenPart {
  SeenFactor factor;
  Scope over;
  std::vector<std::uint32_t> class_of;  // by state
};

/// Which rays of a set are kept (ray_hull.h).
struct PruneOptions {
  std::size_t most;       // 0: only the outstanding ones, which proves nothing
  double least_slack;     // 0: all that are needed, if that are not too many
  bool recorded = false;  // why the others are left out; least_slack is above 0 then
};

class Likelihoods {
 public:
  /// All outlive it.
  Likelihoods(const DomainShape& shape, const std::vector<SeenPart>& parts, const PruneOptions& keeping, Budget& budget)
      : shape_(shape), parts_(parts), keeping_(keeping), budget_(budget) {}

  /// All outputs of a factor.
  const RaySet& of_factor(std::size_t f);
  /// All that were made, each after those that it is made of.
  const std::deque<RaySet>& sets() const { return sets_; }
  /// All pairs; one set is over coordinates that the other one is over too. Made once.
  const RaySet& product(const RaySet& a, const RaySet& b);
  /// The table, times a ray of each of these sets in every possible way, summed over all but `onto`.
  const RaySet& summed(const WeightTable& table, std::vector<const RaySet*> of, const Scope& onto) {
    return summed_keeping(table, std::move(of), onto, Kept::kNeeded);
  }
  /// The same, of which only those are kept that may have the largest ratio between two states: for what is asked last.
  const RaySet& summed_last(const WeightTable& table, std::vector<const RaySet*> of, const Scope& onto) {
    return summed_keeping(table, std::move(of), onto, Kept::kLeading);
  }

  /// A ray by state, exactly, up to a factor that all rays of one choice of outputs share.
  const std::vector<Number>& exact(const RaySet& set, std::size_t ray) const { return made<Number>(set, ray); }
  /// The outputs that a ray stands for, by factor; others are left as they are.
  void outputs_of(const RaySet& set, std::size_t ray, std::vector<std::uint32_t>& outputs) const;

 private:
  // Which rays are kept: all that are needed, those with the largest ratios between states, or all.
  enum class Kept { kNeeded, kLeading, kAll };
  const RaySet& summed_keeping(const WeightTable& table, std::vector<const RaySet*> of, const Scope& onto, Kept which);
  const RaySet& combined(RaySet set, const Scope& all, Kept which);
  const RaySet& kept(RaySet set, std::vector<double> shares, std::vector<std::uint32_t> parts, Kept which);
  std::vector<std::size_t> needed(const RayCloud& cloud, RaySet& set, Kept which);
  static void record(RaySet& set, const std::vector<std::size_t>& kept, std::span<const std::size_t> number_of);
  template <class Entry>
  const std::vector<Entry>& made(const RaySet& set, std::size_t ray) const;
  template <class Entry>
  std::vector<Entry> made_of(const RaySet& set, std::span<const std::uint32_t> parts) const;

  const DomainShape& shape_;
  const std::vector<SeenPart>& parts_;
  PruneOptions keeping_;
  Budget& budget_;
  std::deque<RaySet> sets_;  // which refer to each other
  std::map<std::pair<const RaySet*, const RaySet*>, const RaySet*> products_;
};

}  // namespace oddsbound::engine
