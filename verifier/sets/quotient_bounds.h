// How large a quotient can still become over a set of priors once the first outputs of a product are fixed.
//
// Let w_r be what the fixed outputs give row r, f_r(y) what the others give it, and k(r, s) the least f_s(y) / f_r(y)
// over y (ratios/loss_kernel.h). Under any member, with P and Q what it is given the two labels, and for every row r,
//
//     f_r(y) <= sum_s Q_s w_s f_s(y) / sum_s Q_s w_s k(r, s),   so
//     sum_r P_r w_r f_r(y) <= sum_s Q_s w_s f_s(y) * sum_r P_r w_r / R_r,   R_r = least sum_s Q_s w_s k(r, s).
//
// The last sum and R_r are means of columns, which each kind of set bounds (mean_bounds.h). Inputs that are not named
// have at most, and at least, what the rows of the largest and the smallest entries have.
#pragma once

#include "verifier/ratios/loss_kernel.h"
#include "verifier/sets/mean_bounds.h"
#include "verifier/sets/product_columns.h"

namespace oddsbound::sets {

class QuotientBounds {
 public:
  /// All outlive it.
  QuotientBounds(const ProductColumns& columns, const Suffixes& suffixes, const MeanBounds& means, LossKernel& kernel);

  /// Of every row what the path's outputs give it, up to a common factor; none where doubles do not reach.
  std::optional<std::vector<double>> weights_at(std::span<const std::uint32_t> path) const;
  /// Not below the quotient of any output below a node of this depth, under any member.
  double largest_below(std::size_t depth, const std::vector<double>& weights, std::size_t from, std::size_t to);

 private:
  void reach(std::size_t depth, const std::vector<double>& weights, std::uint32_t suffix, std::size_t to,
             std::span<double> by_part);

  const ProductColumns& columns_;
  const Suffixes& suffixes_;
  const MeanBounds& means_;
  LossKernel& kernel_;
  std::vector<std::vector<std::uint32_t>> suffix_of_;  // [depth][row]
  std::vector<double> column_;
};

}  // namespace oddsbound::sets
