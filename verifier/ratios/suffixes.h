// The rows of a product channel by what the factors see that are not fixed yet, for every number of fixed ones.
#pragma once

#include <limits>

#include "verifier/ratios/seen_rows.h"

namespace oddsbound::ratios {

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
  Suffixes(const SeenRows& seen, std::vector<std::size_t> order, Budget& budget);

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

}  // namespace oddsbound::ratios
