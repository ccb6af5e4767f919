// The second stage of the averaged bound (averaged_bound.h): the factors of C in groups, in place of single factors.
//
// Let G_g be the product of the F_i of a group g. By the weighted inequality of arithmetic and geometric means, for
// positive a_g with prod_g a_g^(q_g) = 1 and shares q_g > 0 of sum 1,
//
//     prod_C F_i = prod_g (a_g G_g^(1/q_g))^(q_g) <= sum_g q_g a_g G_g^(1/q_g).
//
// This takes the place of Lemma 1. For each group, a transform over B and the group computes the sums over all rows for
// all their outputs, so the maximum is a sum of maxima over groups. The numbers a_g and the chord of Lemma 2 may depend
// on the row. With s_r = log prod_C F_i at some output, and s_rg its part in the group, the tilts are
//
//     a_rg = exp(plus (s_r - s_rg / q_g)),     place_r = place + minus (s_r - mean s) / unit
//
// If chords are not tangents, the last term is rounded to an integer. With plus = 1 the inequality is an equality at
// that output.
//
// Rounding: the shares have the exact sum 1, and whatever doubles the s_rg are, prod_g a_rg^(q_g) = 1 but for the
// errors of the exponents' sum and of exp. An error of G_g^(1/q_g) is raised to q_g again.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "verifier/engine/averaged_factors.h"

namespace oddsbound::engine {

/// An output y_B that may have a ratio above t.
struct OpenOutput {
  std::size_t cell;
  double excess;  // an upper bound of N - t D over the outputs of C
};

class TiltedGroups {
 public:
  static constexpr std::size_t kTilts = 3;
  struct Limits {
    std::size_t cells;  // of a table over B and a group, about: groups have different sizes
    double error;       // the relative error of sums
  };
  /// block, averaged: the factors of B and of C. chords: of C. classes: [factor of C][suffix]. cells: [suffix], the
  /// joint class in B. All must outlive this object.
  TiltedGroups(std::span<const AveragedFactor> block, std::span<const AveragedFactor> averaged, const Chords& chords,
               const std::vector<std::vector<std::uint32_t>>& classes, const std::vector<std::uint32_t>& cells,
               const Limits& limits);

  /// Returns true if there is more than one group, and the tables are small enough.
  bool applies() const { return applies_; }
  /// Returns about how many bytes it keeps.
  std::size_t bytes() const { return groups_.size() * cells_.size() * (sizeof(std::uint32_t) + sizeof(double)); }
  struct Rows {  // by suffix
    const std::vector<double>&u, &v;
    const std::vector<double>& weights;  // u - t v, rounded up
  };
  /// Tables that many objects can use, one after another.
  struct Tables {
    std::vector<CellSums> above;  // [group]: of q_g a_rg p_r
    // Lanes: m e^t; t m e^t where t > 0; -t m e^t where t < 0; m e^t of each factor's classes but the first.
    CellSums below;
    std::vector<double> spare;  // for transforms
  };
  /// Lowers the excesses, and removes the outputs whose excess is at most 0. near: an output of the factors of C, then
  /// of B. The result depends on the arguments alone.
  void lower(const Rows& rows, std::span<const std::uint32_t> near, Tables& tables, std::vector<OpenOutput>& open,
             const std::function<void()>& look);

 private:
  struct Group {
    std::size_t begin, end;  // factors of C
    double share;            // q_g, a multiple of 2^-20: all have the exact sum 1
    std::size_t outputs = 1, classes = 1;
    std::vector<std::uint32_t> seen;           // [suffix]: joint class
    std::vector<std::vector<double>> powered;  // [factor]: F^(1/q_g), as entries
    std::vector<double> scores;                // [suffix]: s_rg
  };
  struct Tilt {
    double plus, minus;
  };

  void make_groups(const Limits& limits);
  void fill(Group& group);
  Path improved(const Rows& rows, std::span<const std::uint32_t> near, const std::function<void()>& look) const;
  void sum_up(const std::vector<double>& weights, const Tilt& tilt, Tables& tables, const std::function<void()>& look);
  void lose(const double* below);
  double least_excess(std::size_t cell, const Tables& tables);

  std::span<const AveragedFactor> block_, averaged_;
  const std::vector<std::vector<std::uint32_t>>& classes_;
  const std::vector<std::uint32_t>& cells_;
  double error_;
  const Chords& chords_;
  bool applies_ = false;
  std::vector<Group> groups_;
  std::vector<CellSums::Matrix> of_block_;
  std::vector<std::size_t> lane_;  // [factor of C]: in `below`, of its second class; then their number
  // One that removed all outputs comes first the next time: the order changes no result.
  std::array<Tilt, kTilts> tilts_{{{0.3, 0.5}, {0.5, 0.5}, {0, 0}}};
  std::vector<double> scores_;  // [suffix]: s_r
  std::vector<double> losses_;  // [output of a group], of all groups: sum_i of sum_r m e^t log F_i
  std::vector<double> values_, of_outputs_;
};

}  // namespace oddsbound::engine
