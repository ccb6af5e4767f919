// Loss distributions on a grid: proven bounds of the hockey-stick divergence of independent outputs with too many
// exact losses.
//
// A loss is the logarithm of a ratio. Every loss is split between the points k h and (k + 1) h around it such that the
// masses under P and under Q both stay. Merging undoes the split, so the divergence only grows: the upper end. It grows
// by at most (e^h - 1) / 4 times the mass of sums of losses near epsilon, which the same grid bounds: the lower end
// (docs/mathematics-searches.md). The gap shrinks with h^2. Rounding losses up and down, or a minorant with kinks on
// the grid, leaves one of h.
//
// Masses are integers, rounded up. A sum of losses is a product of polynomials, computed as a product of long integers
// (Kronecker substitution), so only these roundings are inexact.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verifier/engine/loss_distribution.h"

namespace oddsbound::exact {
class Ball;
}

namespace oddsbound::engine {

/// lower <= value <= upper.
struct NumberBounds {
  Number lower, upper;
};

class LossGrid {
 public:
  /// Ratios are powers of `step` = e^h > 1, so losses are multiples of h: at most 1, unless all losses are such
  /// multiples anyway. Masses are multiples of 2^-(64 words - 1).
  struct Fineness {
    Number step;
    std::size_t words = 2;
  };

  /// Throws LimitError past the budget.
  static LossGrid of(const LossDistribution& losses, const Fineness& fineness, Budget& budget);
  static LossGrid of(const LossProduct& product, const Fineness& fineness, Budget& budget);
  /// Both have the same fineness. Throws LimitError past the budget.
  LossGrid times(const LossGrid& other, Budget& budget) const;
  LossGrid power(std::uint64_t n, Budget& budget) const;

  /// Returns bounds of the hockey-stick divergence of the distribution that was put on this grid, for a factor > 0.
  NumberBounds excess(const Number& factor, Budget& budget) const;

  /// Returns the number of stored points.
  std::size_t points() const { return masses_.size() / stride(); }

 private:
  using Word = unsigned long;  // of GMP
  using Mass = std::vector<Word>;

  explicit LossGrid(const Fineness& fineness)
      : fineness_(fineness), finite_(stride()), infinite_(stride()), moved_(stride()) {}
  void set_spacing(exact::Ball& result, long bits) const;  // to h
  // The multiple of h that a loss is, if it is known to be one.
  std::optional<std::int64_t> exact_point(const Number& ratio) const;
  // A mass has as many words as the product of two; the upper half is 0.
  std::size_t stride() const { return 2 * fineness_.words; }
  bool is_empty(std::size_t point) const;
  std::size_t filled() const;
  Mass total() const;
  Mass product(const Mass& a, const Mass& b) const;
  void multiply_sparse(const LossGrid& a, const LossGrid& b, Budget& budget);
  void multiply_dense(const LossGrid& a, const LossGrid& b, Budget& budget);
  void reserve(std::uint64_t points, Budget& budget);
  void round_up();
  void trim();

  Fineness fineness_;
  std::int64_t low_ = 0;      // the smallest loss, in multiples of h
  std::vector<Word> masses_;  // of the losses low_, low_ + 1, ...
  Mass finite_, infinite_;    // the sums of these masses, and of those of infinite losses
  Mass moved_;                // a bound of the mass that was moved further up than to a neighboring point
  std::uint64_t split_ = 0;   // number of independent outputs with losses that were split
};

/// Returns the logarithm of the ratio if it is rational.
std::optional<Number> rational_log(const Number& ratio);

}  // namespace oddsbound::engine
