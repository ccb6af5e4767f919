// Bounds of the quotient in a box of a network's rows, and of its change along a row.
//
// With A = P(output | from), the derivative of log A in any direction is the derivative of P(output, from) - A
// P(from), with A held fixed, divided by P(output, from). The same holds for B = P(output | to). Both are sums
// over inputs, which folds bound (multilinear.h).
#pragma once

#include "verifier/priors/line.h"
#include "verifier/priors/multilinear.h"

namespace oddsbound::priors {

/// An enclosure of a number.
struct Span {
  Number low, high;
};

class BoxBounds {
 public:
  /// label_of: per input; column: P(output | input). All arguments must outlive this object.
  BoxBounds(const NetworkRows& rows, const std::vector<std::uint32_t>& label_of, const std::vector<Number>& column,
            std::uint32_t from, std::uint32_t to, Budget& budget);

  /// Returns the joint masses for these rows.
  JointMasses forms(const std::vector<Point>& rows);

  /// Sets the box for the methods below. middle: the joint masses at mixtures of all points of each row, where
  /// both labels must have mass. Returns an upper bound of the quotient in the box.
  Ratio enter(const Box& box, const JointMasses& middle);
  /// Computes how the row changes the quotient. Required before the methods below are called for this row.
  void look_along(const Box& box, std::size_t row);
  /// Returns true if the quotient never decreases from `begin` to `end` along the row, for all other rows of the
  /// box.
  bool never_falls(std::size_t row, const Point& begin, const Point& end) const;
  /// Returns the open row with the largest effect. Requires look_along() for all open rows.
  std::size_t widest(const Box& box, const std::vector<std::size_t>& open) const;
  /// Returns an upper bound of the quotient in the box, from its value in the middle.
  Ratio from_middle(const Box& box, const std::vector<std::size_t>& open, const Ratio& middle) const;

  /// Returns the number of inputs in all sums so far.
  std::uint64_t folded() const { return folded_; }

 private:
  // Change of a sum when mass of a row moves from its first value to another one, per such value.
  using Slopes = std::vector<Span>;
  // The bounds for one label.
  struct Side {
    std::uint32_t label;
    Span joint{}, mean{};
    std::vector<Slopes> slopes{};  // per row
  };

  template <typename Value, typename Combine>
  Value sum(std::size_t last, std::vector<Value> by_input, Combine combine);
  Number farthest_mean(const Box& box, const Side& side, int sign, Number mean);
  Span joint(const Box& box, const Side& side);
  Slopes slopes(const Box& box, std::size_t row, const Side& side);
  bool has_logarithm() const { return from_.joint.low.sign() > 0 && to_.joint.low.sign() > 0; }
  Span change(const Span& of_from, const Span& of_to) const;
  Number most_from_middle(const Box& box, std::size_t row) const;

  const NetworkRows& rows_;
  const std::vector<std::uint32_t>& label_of_;
  const std::vector<Number>& column_;
  Budget& budget_;
  Side from_, to_;
  std::uint64_t folded_ = 0;
};

}  // namespace oddsbound::priors
