// The averaged bound: an upper bound of the ratio of every output below a node of the search over outputs
// (output_search.h), from sums over all rows. The transport bound (transport_bound.h) compares single rows, which loses
// much in long tables. Formulas and proofs: docs/mathematics-searches.md.
//
// The open factors are split into a block B, whose outputs are enumerated, and groups g. Let F_i = f_i / min f_i >= 1
// for the factors of groups, G_g their product over a group, w_r = u_r - t v_r, p = max(w, 0) and m = max(-w, 0). For
// every output, up to a positive factor of the output,
//
//     N - t D = sum_r f_r(y_B) (p_r - m_r) prod_g G_g
//     prod_g G_g <= sum_g theta_g lambda_rg G_g^(1 / theta_g)     if sum theta_g = 1 and prod_g lambda_rg^theta_g = 1
//     prod_g G_g >= a_r + b_r sum_i log F_i                       a chord or tangent of exp, for each row
//
// The right sides are sums over groups, so their maximum over the outputs of all groups is a sum of maxima. If it is at
// most 0 for every y_B, no ratio below the node exceeds t. One transform for each sum gives it for all outputs of B and
// a group. Without groups, the same transform gives the ratios of all outputs. Both inequalities are tight for rows
// whose answers agree with some output: lambda, a and b prefer the outputs near one with a large ratio.
//
// Invariant: doubles, with a bound of their error. w is rounded up before it is split, all sums are of non-negative
// numbers, and the error of the last sum is added.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "verifier/engine/pair_losses.h"

namespace oddsbound::engine {

class AveragedBound {
 public:
  // Sums of one transform.
  static constexpr std::size_t kMostCells = std::size_t{1} << 15;

  /// Both must outlive this object. most_cells: of one transform; most_bytes: of the tables that are kept.
  AveragedBound(const ProjectedRows& seen, const Suffixes& suffixes, std::size_t most_cells, std::uint64_t most_bytes);
  /// With about as many cells as there are suffixes, at most kMostCells.
  AveragedBound(const ProjectedRows& seen, const Suffixes& suffixes, std::uint64_t most_bytes);
  ~AveragedBound();
  AveragedBound(AveragedBound&&) noexcept;

  /// Returns true if there is a bound for nodes at this depth.
  bool applies(std::size_t depth) const;
  /// Returns how many factors of the node at this depth are in groups. With none, bounds are the largest ratios.
  std::size_t grouped(std::size_t depth) const;
  /// Returns about how many additions the bound of one pair takes.
  double steps(std::size_t depth) const;

  /// u, v: the weights of two groups of rows by suffix, each 0 or in [kSmall, kLarge].
  struct Question {
    std::size_t depth;
    const std::vector<double>& u;
    const std::vector<double>& v;
    double most;         // t
    const Path& target;  // an output with a large ratio: the bound is best near it
    bool leaves_out;     // the target is below the node, and its ratio is known: it is left out where that is possible
  };
  /// Returns an upper bound of the ratios of all outputs below the node, or `most` if none exceeds it. Infinity outside
  /// the range of doubles.
  double bound(const Question& question, const std::function<void()>& look);

 private:
  struct Axis;    // a factor
  struct Group;   // factors of C
  struct Plan;    // which factors are in the block and in groups, by depth
  struct Layout;  // where the sums of each suffix are, by depth

  Plan plan_for(std::size_t depth, std::size_t most_cells) const;
  const Layout& layout(std::size_t depth);
  double largest_ratio(const Question& question, const Layout& layout);
  double bound_by_groups(const Question& question, const Layout& layout, const std::function<void()>& look);

  const Suffixes& suffixes_;
  std::vector<Axis> axes_;  // [depth]
  std::vector<Plan> plans_;
  std::vector<std::unique_ptr<Layout>> layouts_;
  std::uint64_t most_bytes_, kept_bytes_ = 0;
  double error_;
  std::vector<double> spare_;  // of transforms
};

}  // namespace oddsbound::engine
