// The rows of a product channel by what the factors see that are not fixed yet, for every number of fixed ones.
#pragma once

#include <limits>
#include <map>
#include <optional>

#include "verifier/engine/projected_rows.h"

namespace oddsbound::engine {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Weights are kept between these, where doubles have all their bits.
inline constexpr double kSmall = 1e-280;
inline constexpr double kLarge = 1e280;

/// Once the first `depth` factors of the order are fixed, rows that agree in what the others see are one suffix.
struct SuffixLayer {
  std::size_t size = 0;
  std::vector<std::uint32_t> seen;  // [suffix]: its class in the next factor
  std::vector<std::uint32_t> next;  // [suffix]: its suffix in the next layer
};

class Suffixes {
 public:
  /// order: the factors, the first one first. Throws LimitError past the budget.
  Suffixes(const ProjectedRows& seen, std::vector<std::size_t> order, Budget& budget);

  std::size_t depths() const { return order_.size(); }
  std::size_t factor(std::size_t depth) const { return order_[depth]; }
  const SuffixLayer& layer(std::size_t depth) const { return layers_[depth]; }
  /// The suffix of a row before anything is fixed.
  std::uint32_t root(std::size_t row) const { return root_[row]; }
  /// The entries of the factor at this depth, by [output][class], within a relative error of 2^-50; infinity where that
  /// is out of the range of doubles, at whichever end.
  const std::vector<std::vector<double>>& entries(std::size_t depth) const { return entries_[depth]; }
  /// Relative error of a bound or ratio that is computed along any path.
  double error() const { return error_; }

 private:
  std::vector<std::size_t> order_;
  std::vector<SuffixLayer> layers_;  // one more than factors: in the last one all rows are one
  std::vector<std::uint32_t> root_;
  std::vector<std::vector<std::vector<double>>> entries_;
  double error_ = 0;
};

// exp(-l(r, s)) between suffixes, l being the largest loss from r to s that the factors ahead can show: the kernel of
// the transport bound, in doubles. Kept where memory allows it; else made row by row, several factors at a time.

class LossKernel {
 public:
  /// Of what may be kept, within the budget: as much again may be at hand elsewhere.
  static std::uint64_t bytes_to_keep(const Budget& budget);

  /// bytes: of what may be kept. `suffixes` outlives it.
  LossKernel(const Suffixes& suffixes, std::uint64_t bytes, Budget& budget);

  /// [s]: the least P(y given s) / P(y given r) over outputs y of the factors from this depth on, for all suffixes
  /// s. Never too large, but for rounding. Valid until the next call.
  const double* row(std::size_t depth, std::uint32_t r);

 private:
  // From one depth over some factors to a later one.
  struct Hop {
    std::size_t to = 0;
    std::vector<std::uint32_t> seen;  // [suffix]: what these factors see of it
    std::vector<std::uint32_t> next;  // [suffix]: its suffix there
    std::vector<double> least;        // [from * classes + to]
    std::size_t classes = 0;
    std::uint32_t row_of = UINT32_MAX;  // the suffix whose row was made last
    std::vector<double> made;
  };

  Hop hop_from(std::size_t depth) const;
  void fill(const Hop& hop, std::uint32_t r, const double* after, double* row) const;

  const Suffixes& suffixes_;
  std::size_t kept_from_ = 0;              // rows are kept at this depth and after it
  std::vector<std::vector<double>> kept_;  // [depth][r * size + s]
  std::vector<Hop> hops_;                  // of the depths before
};

// What groups weigh once the first outputs of a path are fixed, exactly.

/// An output of the whole: per depth, an index into the factor's outputs.
using Path = std::vector<std::uint32_t>;

class PathWeights {
 public:
  /// Both outlive it.
  PathWeights(const ProjectedRows& seen, const Suffixes& suffixes);

  /// By suffix, the weights of a group after the first `depth` outputs of the path, as shares of the group; up to what
  /// they have in common with those of other groups.
  std::vector<Number> of(std::uint32_t group, std::size_t depth, const Path& path, Budget& budget) const;
  /// For every row the product of what all outputs of a path give it.
  std::vector<Number> products(const Path& path, Budget& budget) const;
  /// The first output of the factor at this depth that the row may have.
  std::uint32_t first_possible(std::size_t depth, const SeenRow& row) const;

 private:
  using Powers = std::map<std::uint32_t, std::uint32_t>;  // by entry

  // What the first `depth` outputs give a row, and the suffix that is left of it; none if it may not have them.
  std::optional<Powers> powers_of(std::size_t row, std::size_t depth, const Path& path, std::uint32_t& suffix) const;
  Number product_of(const Powers& powers) const;

  static constexpr std::uint32_t kZero = 0;
  static constexpr std::uint32_t kOne = 1;

  const ProjectedRows& seen_;
  const Suffixes& suffixes_;
  std::vector<Number> values_;                                    // of all factors, each different one once
  std::vector<std::vector<std::vector<std::uint32_t>>> entries_;  // [depth][output][class]
};

}  // namespace oddsbound::engine
