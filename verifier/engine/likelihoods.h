// Sums over many coordinates of products of small tables, on a tree of cliques (variable elimination). The part of
// the network behind an edge affects the rest only through the coordinates that the edge's two cliques share.
//
// This file computes sets of rays: the likelihoods that outputs behind an edge of the tree (clique_tree.h) can have, as
// functions of the shared coordinates. network_messages.h sends them along the edges. Cost: one table per clique,
// times the number of combinations of kept rays.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "verifier/engine/clique_tree.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/engine/ray_hull.h"
#include "verifier/exact/interval.h"
#include "verifier/model/prior.h"

namespace oddsbound::engine {

// Likelihoods of outputs: P(outputs | state) for every joint value ("state") of a few coordinates, up to a factor,
// as a ray; and sets of such rays over all outputs of some factors.
//
// Only the extreme rays of the cone of a set are kept (ray_hull.h). They suffice: a ratio of two sums over states
// is linear over linear in the ray, so it is largest at an extreme ray. Products with other rays and sums over
// states are linear in each ray, so they map combinations to combinations.

struct RaySet;

struct Ray {
  std::vector<double> shares;        // by state; they sum to 1
  std::vector<std::uint32_t> parts;  // of a factor: the output; otherwise: the index of the ray in each set of made_of
  // Exact values and enclosures by state, up to a common factor; computed on demand.
  mutable std::tuple<std::vector<Number>, std::vector<Interval>> made{};
};

struct RaySet {
  Scope over;              // the last coordinate varies fastest
  std::size_t states = 1;  // joint values of these coordinates
  std::vector<Ray> rays;
  double error = 0;                     // relative error of each share; infinite outside the range of doubles
  double slack = 0;                     // total: left-out rays are within exp(+-slack) (ray_hull.h)
  double step = 0;                      // the largest slack that a single set added
  std::optional<std::size_t> factor{};  // set: the rays are the outputs of this factor, by parts[0]
  // Otherwise: products with the cells of a table, summed by state. Indexed by cell of the sum:
  std::vector<const RaySet*> made_of;
  std::vector<Number> cells;                         // of the table; empty: all 1
  std::vector<std::uint32_t> state;                  // of this set
  std::vector<std::vector<std::uint32_t>> state_of;  // of each set in made_of
  // The table, if there is one. Only if reasons for leaving out rays are recorded: the kept outputs of the factor or
  // kept choices of rays (the last set varies fastest), by index; and all other possible ones.
  const WeightTable* table = nullptr;
  std::vector<std::size_t> kept{};
  std::vector<RedundantRay> left_out{};
};

/// A factor with its coordinates in the network.
struct SeenPart {
  SeenFactor factor;
  Scope over;
  std::vector<std::uint32_t> class_of;  // by state
};

/// Which rays of a set are kept (ray_hull.h).
struct PruneOptions {
  std::size_t most;       // maximum number of rays; 0: only the outstanding ones, which proves nothing
  double least_slack;     // 0: all needed rays, unless there are too many
  bool recorded = false;  // record why the others are left out; requires least_slack > 0
};

class Likelihoods {
 public:
  /// All arguments must outlive this object.
  Likelihoods(const DomainShape& shape, const std::vector<SeenPart>& parts, const PruneOptions& keeping, Budget& budget)
      : shape_(shape), parts_(parts), keeping_(keeping), budget_(budget) {}

  /// Returns the rays of all outputs of a factor.
  const RaySet& of_factor(std::size_t f);
  /// Returns all sets made so far; each one is after those that it is made of.
  const std::deque<RaySet>& sets() const { return sets_; }
  /// Returns the products of all pairs of rays. The coordinates of one set must include those of the other.
  /// Computed once per pair.
  const RaySet& product(const RaySet& a, const RaySet& b);
  /// Returns the table, times one ray of each of these sets in every combination, summed over all coordinates but
  /// `onto`.
  const RaySet& summed(const WeightTable& table, std::vector<const RaySet*> of, const Scope& onto) {
    return summed_keeping(table, std::move(of), onto, Kept::kNeeded);
  }
  /// The same, but keeps only rays that may have the largest ratio between two states. For the last sum of a
  /// query.
  const RaySet& summed_last(const WeightTable& table, std::vector<const RaySet*> of, const Scope& onto) {
    return summed_keeping(table, std::move(of), onto, Kept::kLeading);
  }

  /// Returns a ray by state, exactly, up to a factor common to all rays of one choice of outputs. Threads may call it
  /// at the same time, once all sets are made.
  const std::vector<Number>& exact(const RaySet& set, std::size_t ray) const {
    const std::lock_guard lock(making_);
    return made<Number>(set, ray);
  }
  /// Sets the outputs that a ray stands for, by factor; leaves the others unchanged.
  void outputs_of(const RaySet& set, std::size_t ray, std::vector<std::uint32_t>& outputs) const;

 private:
  // Which rays are kept: all needed ones, those with the largest ratios between states, or all.
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
  mutable std::mutex making_;  // of Ray::made; an entry that is made does not change
  std::deque<RaySet> sets_;    // a deque: sets refer to each other by address
  std::map<std::pair<const RaySet*, const RaySet*>, const RaySet*> products_;
};

}  // namespace oddsbound::engine
