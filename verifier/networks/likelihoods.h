// What outputs say about a few coordinates: how likely they are for every joint value ("state") of these, as a ray, and
// sets of rays for all outputs of some factors.
//
// Only the rays at the edges of the cone of a set are kept (ray_hull.h). That is enough: a ratio between two sums over
// states, linear over linear in the ray, is largest at one of them, and products with other rays and sums over states
// are linear in each ray, so they take combinations to combinations.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "verifier/networks/clique_tree.h"
#include "verifier/ratios/seen_rows.h"

namespace oddsbound::networks {

struct RaySet;

struct Ray {
  std::vector<double> shares;           // by state; of sum 1
  std::vector<std::uint32_t> parts;     // which ray of each set that this one's was made of
  mutable std::vector<Number> exact{};  // by state, up to a factor; made when asked for
};

struct RaySet {
  Scope over;              // the last one fastest
  std::size_t states = 1;  // of these together
  std::vector<Ray> rays;
  double error = 0;                     // of each share, as a part of it; infinite where doubles do not reach
  double slack = 0;                     // that the rays left out are off by at most (ray_hull.h), all in all
  std::optional<std::size_t> factor{};  // whose outputs the rays are, by the first of their parts
  // Otherwise: products with the cells of a table, summed by state. Of each cell of the sum:
  std::vector<const RaySet*> made_of;
  std::vector<Number> cells;                         // of the table; empty: all 1
  std::vector<std::uint32_t> state;                  // here
  std::vector<std::vector<std::uint32_t>> state_of;  // in each set that it is made of
};

/// A factor as the network sees it.
struct SeenPart {
  SeenFactor factor;
  Scope over;
  std::vector<std::uint32_t> class_of;  // by state
};

/// Which rays of a set are kept (ray_hull.h).
struct Keeping {
  std::size_t most;    // 0: only the outstanding ones, which proves nothing
  double least_slack;  // 0: all that are needed, if that are not too many
};

class Likelihoods {
 public:
  /// All outlive it.
  Likelihoods(const DomainShape& shape, const std::vector<SeenPart>& parts, const Keeping& keeping, Budget& budget)
      : shape_(shape), parts_(parts), keeping_(keeping), budget_(budget) {}

  /// All outputs of a factor.
  const RaySet& of_factor(std::size_t f);
  /// All pairs; one set is over coordinates that the other one is over too.
  const RaySet& product(const RaySet& a, const RaySet& b);
  /// The table, times a ray of each of these sets in every possible way, summed over all but `onto`.
  const RaySet& summed(const WeightTable& table, std::vector<const RaySet*> of, const Scope& onto);

  /// A ray by state, exactly, up to a factor that all rays of one choice of outputs share.
  const std::vector<Number>& exact(const RaySet& set, std::size_t ray) const;
  /// The outputs that a ray stands for, by factor; others are left as they are.
  void outputs_of(const RaySet& set, std::size_t ray, std::vector<std::uint32_t>& outputs) const;

 private:
  const RaySet& combined(RaySet set, const Scope& all);
  const RaySet& kept(RaySet set, std::vector<double> shares, std::vector<std::uint32_t> parts);
  std::vector<Number> made_exactly(const RaySet& set, std::span<const std::uint32_t> parts) const;

  const DomainShape& shape_;
  const std::vector<SeenPart>& parts_;
  Keeping keeping_;
  Budget& budget_;
  std::deque<RaySet> sets_;  // which refer to each other
};

}  // namespace oddsbound::networks
