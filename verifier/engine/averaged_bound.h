// The averaged bound: an upper bound of the ratio of every output below a node of the search over outputs
// (output_search.h), from sums over all rows. The transport bound (transport_bound.h) compares single rows, which loses
// much in long tables. Proof and formulas: docs/mathematics-searches.md.
//
// The open factors are split: the block B is the last ones in the order, C the others. All outputs y_B of the block
// are enumerated. Let F_i = f_i / min f_i >= 1 for the factors of C, and w_r = u_r - t v_r = p_r - m_r
// with p, m >= 0. For every output,
//
//     N - t D = sum_r f_r(y_B) w_r prod_C F_i     up to a positive factor
//     prod_C F_i <= 1 + sum_i (prod_{i' < i} max F_i') (F_i - 1)       Lemma 1, for any order of C, used with p
//     prod_C F_i >= a + b sum_i log F_i                                Lemma 2, a chord or tangent of exp, used with m
//
// Each right side is a sum over i, so its maximum over the outputs of C is a sum of maxima. If this maximum is at most
// 0 for every y_B, no ratio below the node exceeds t. The order of C and (a, b) are chosen for each y_B. One transform
// over B computes each sum for all y_B at once. If C is empty, the transform gives the ratios of all outputs. If some
// y_B stay open, groups of factors may close them (tilted_groups.h).
//
// Rounding: w is rounded up before it is split. All sums are of non-negative numbers, so their relative error is known,
// and the error of the last difference is added.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "verifier/engine/averaged_factors.h"
#include "verifier/engine/tilted_groups.h"

namespace oddsbound::engine {

/// When a search computes the averaged bound. All but kWhereCheaper are for comparisons and tests; kInGroups: always,
/// with few outputs in a block and small groups.
enum class Averages { kNever, kWhereCheaper, kAlways, kInGroups };

/// A bound without groups, with all that a checker needs to repeat it (docs/certificates.md).
struct AveragedProof {
  std::size_t block = 0;              // the number of factors in B, the last ones
  double base = 1;                    // E: with E^n_i <= F_i, Lemma 2 is prod_C F_i >= E^j (1 + (E - 1) (sum n_i - j))
  std::vector<std::uint64_t> powers;  // the j that were used, the most frequent one first
};

class AveragedBound {
 public:
  // The largest number of outputs, and of joint classes, of the block.
  static constexpr std::size_t kMostCells = std::size_t{1} << 12;
  struct Sizes {
    std::size_t cells = kMostCells;              // at most, in the block
    std::size_t outputs = std::size_t{1} << 16;  // with at most so many below a node, C is empty
    // Groups take longer than single factors, and save nodes: they are for searches over many outputs, of nodes with
    // many factors in C.
    double log_outputs_to_group = 32;  // to base 2, of the root
    std::size_t factors_to_group = 8;
    std::size_t group_cells = std::size_t{1} << 19;  // TiltedGroups::Limits
  };

  /// Returns the sizes of a search: a block of about as many cells as there are suffixes, at most kMostCells. For
  /// kAlways and kInGroups all sizes are small.
  static Sizes sizes(const Suffixes& suffixes, Averages averages);
  /// Both must outlive this object. sizes.outputs >= sizes.cells.
  AveragedBound(const ProjectedRows& seen, const Suffixes& suffixes, const Sizes& sizes);
  ~AveragedBound();
  AveragedBound(AveragedBound&&) noexcept;

  /// Returns true if nodes at this depth have a bound: C is small, and none of its entries is 0.
  bool applies(std::size_t depth) const { return depth >= first_; }
  /// Returns how many factors of the node at this depth are in C.
  std::size_t averaged(std::size_t depth) const { return begin_of_block(depth) - depth; }
  /// Returns about how many additions the bound of one pair takes.
  double steps(std::size_t depth) const;
  /// Returns about how many nodes below this depth have such bounds if those of the node discard nothing.
  double nodes_below(std::size_t depth) const;
  /// Returns about how many more it takes with groups; 0: there are none.
  double group_steps(std::size_t depth) const;

  /// u, v: the weights of two groups by suffix, each 0 or in [kSmall, kLarge].
  struct Question {
    std::size_t depth;
    const std::vector<double>& u;
    const std::vector<double>& v;
    double most;                               // t
    const Path* known;                         // an output to leave out, since its ratio is known; null: none
    const Path* near;                          // an output with a large ratio, for the tilts of groups; null: no groups
    std::vector<std::size_t>* used = nullptr;  // if not null, set to how often each chord showed the bound
  };
  /// Returns an upper bound of the ratios of all outputs below the node, or `most` if none exceeds it.
  /// Infinity outside the range of doubles.
  double bound(const Question& question, const std::function<void()>& look);
  /// Returns a proof that no ratio below the node exceeds `most`; nullopt if none is found, or C is empty. The numbers
  /// of the question are those of bound(); no groups are used.
  std::optional<AveragedProof> prove(Question question, const std::function<void()>& look);

 private:
  struct Layout;  // of the sums at a depth
  std::size_t begin_of_block(std::size_t depth) const;
  bool has_groups(std::size_t depth) const {
    return log_outputs_ >= sizes_.log_outputs_to_group && averaged(depth) >= sizes_.factors_to_group;
  }
  Layout& layout(std::size_t depth);
  double ratio_of_outputs(const Question& question, const Layout& layout) const;

  const Suffixes& suffixes_;
  const Sizes sizes_;
  std::vector<AveragedFactor> factors_;           // [depth]
  std::vector<std::unique_ptr<Layout>> layouts_;  // [depth]
  std::size_t block_ = 0;                         // the depth at which B begins
  std::size_t whole_ = 0;                         // the depth from which on all outputs are listed
  std::size_t first_ = 0;                         // the first depth with a bound
  double log_outputs_ = 0;                        // of the root
  std::size_t kept_ = 0;                          // bytes
  double error_;
  CellSums sums_;
  TiltedGroups::Tables tables_;  // tables_.spare serves all transforms
};

}  // namespace oddsbound::engine
