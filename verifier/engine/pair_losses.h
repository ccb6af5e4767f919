// Suffixes of rows, the loss kernel between them, and exact weights along a path: the tables of the search over
// outputs (output_search.h).
//
// Once the first factors of an order are fixed, rows that agree in the remaining factors are one suffix. Bounds
// and weights are computed per suffix, not per row.
#pragma once

#include <limits>
#include <map>
#include <optional>

#include "verifier/engine/projected_rows.h"

namespace oddsbound::engine {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Weights are kept in this range, where doubles have full precision.
inline constexpr double kSmall = 1e-280;
inline constexpr double kLarge = 1e280;

/// The suffixes at one depth: after the first `depth` factors are fixed, rows that agree in the other factors are
/// one suffix.
struct SuffixLayer {
  std::size_t size = 0;
  std::vector<std::uint32_t> seen;  // [suffix]: its class in the next factor
  std::vector<std::uint32_t> next;  // [suffix]: its suffix in the next layer
};

/// The rows that become one suffix: of all groups together, or of each group by itself. The last layer then has one
/// suffix, or one for each group, with the number of the group.
enum class SuffixRows { kOfAllGroups, kOfEachGroup };

class Suffixes {
 public:
  /// order: the order in which factors are fixed. Throws LimitError if the budget is exceeded.
  Suffixes(const ProjectedRows& seen, std::vector<std::size_t> order, Budget& budget,
           SuffixRows rows = SuffixRows::kOfAllGroups);

  std::size_t depths() const { return order_.size(); }
  std::size_t factor(std::size_t depth) const { return order_[depth]; }
  const SuffixLayer& layer(std::size_t depth) const { return layers_[depth]; }
  /// Returns the suffix of a row before any output is fixed.
  std::uint32_t root(std::size_t row) const { return root_[row]; }
  /// Returns the entries of the factor at this depth as [output][class], each with a relative error of at most
  /// 2^-50. Infinity stands for a value outside the range of doubles, too large or too small.
  const std::vector<std::vector<double>>& entries(std::size_t depth) const { return entries_[depth]; }
  /// Returns the relative error of any bound or ratio computed along a path.
  double error() const { return error_; }

 private:
  std::vector<std::size_t> order_;
  std::vector<SuffixLayer> layers_;  // one more than factors
  std::vector<std::uint32_t> root_;
  std::vector<std::vector<std::vector<double>>> entries_;
  double error_ = 0;
};

// The kernel of the transport bound, in doubles: exp(-l(r, s)) between suffixes, where l is the largest loss from
// r to s over the remaining factors. Stored if memory allows it; otherwise rows are computed on demand, over
// several factors at a time.

class LossKernel {
 public:
  /// Returns how many bytes the kernel may store: an eighth of the memory left, at most 2^28. Plans may hold as
  /// much again (Refining::most_gathered).
  static std::uint64_t bytes_to_keep(const Budget& budget);

  /// bytes: memory for stored rows. `suffixes` must outlive this object.
  LossKernel(const Suffixes& suffixes, std::uint64_t bytes, Budget& budget);

  /// Returns [s] = min over y of P(y | s) / P(y | r), for all suffixes s and the outputs y of the factors from
  /// this depth on. Never too large, except for rounding. Valid until the next call.
  const double* row(std::size_t depth, std::uint32_t r);

 private:
  // A step from one depth over some factors to a later depth.
  struct Hop {
    std::size_t to = 0;
    std::vector<std::uint32_t> seen;  // [suffix]: its joint class in these factors
    std::vector<std::uint32_t> next;  // [suffix]: its suffix at depth `to`
    std::vector<double> least;        // [from * classes + to]
    std::size_t classes = 0;
    std::uint32_t row_of = UINT32_MAX;  // the suffix of the last computed row
    std::vector<double> made;
  };

  Hop hop_from(std::size_t depth) const;
  void fill(const Hop& hop, std::uint32_t r, const double* after, double* row) const;

  const Suffixes& suffixes_;
  std::size_t kept_from_ = 0;              // rows are stored from this depth on
  std::vector<std::vector<double>> kept_;  // [depth][r * size + s]
  std::vector<Hop> hops_;                  // of the earlier depths
};

// Exact weights of groups once the first outputs of a path are fixed.

/// An output of the whole channel: per depth, an index into the factor's outputs.
using Path = std::vector<std::uint32_t>;

class PathWeights {
 public:
  /// Both must outlive this object.
  PathWeights(const ProjectedRows& seen, const Suffixes& suffixes);

  /// Returns, by suffix, the weights of a group after the first `depth` outputs of the path, as fractions of the
  /// group's mass; up to a factor common to all groups.
  std::vector<Number> of(std::uint32_t group, std::size_t depth, const Path& path, Budget& budget) const;
  /// Returns for every row the product of its entries over all outputs of a path.
  std::vector<Number> products(const Path& path, Budget& budget) const;
  /// Returns the first output of the factor at this depth that is possible for the row.
  std::uint32_t first_possible(std::size_t depth, const SeenRow& row) const;

 private:
  using Powers = std::map<std::uint32_t, std::uint32_t>;  // by index of the entry

  // Returns the entries of a row along the first `depth` outputs, and sets its remaining suffix; nullopt if an
  // entry is 0.
  std::optional<Powers> powers_of(std::size_t row, std::size_t depth, const Path& path, std::uint32_t& suffix) const;
  Number product_of(const Powers& powers) const;

  static constexpr std::uint32_t kZero = 0;
  static constexpr std::uint32_t kOne = 1;

  const ProjectedRows& seen_;
  const Suffixes& suffixes_;
  std::vector<Number> values_;                                    // distinct entries of all factors
  std::vector<std::vector<std::vector<std::uint32_t>>> entries_;  // [depth][output][class]
};

}  // namespace oddsbound::engine
