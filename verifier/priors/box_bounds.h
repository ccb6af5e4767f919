// What quotients can be in a box of a network's rows, and how they change along a row.
//
// With A = P(output given from) and B = P(output given to), the derivative of log A in any direction is that of
// P(output, from) - A P(from) with A held fixed, over P(output, from); likewise for B. Both are sums over inputs, which
// folds bound (multilinear.h).
#pragma once

#include "verifier/priors/line.h"
#include "verifier/priors/multilinear.h"

namespace oddsbound::priors {

/// Not above, and not below, what a number can be.
struct Span {
  Number low, high;
};

class BoxBounds {
 public:
  /// label_of: per input; column: P(output given input). All outlive it.
  BoxBounds(const NetworkRows& rows, const std::vector<std::uint32_t>& label_of, const std::vector<Number>& column,
            std::uint32_t from, std::uint32_t to, Budget& budget);

  /// With these rows.
  JointMasses forms(const std::vector<Point>& rows);

  /// The box that all below is about; middle: with mixtures of all its points, of which both labels have mass.
  /// Returns what no quotient in it is above.
  Ratio enter(const Box& box, const JointMasses& middle);
  /// Looks at how one of its rows changes the quotient, for what is asked next of this row.
  void look_along(const Box& box, std::size_t row);
  /// Whether the quotient never falls on the way from a point of the row to another, whatever else is in the box.
  bool never_falls(std::size_t row, const Point& begin, const Point& end) const;
  /// The open row that matters most. All open rows were looked at.
  std::size_t widest(const Box& box, const std::vector<std::size_t>& open) const;
  /// What no quotient is above, by what it is in the middle.
  Ratio from_middle(const Box& box, const std::vector<std::size_t>& open, const Ratio& middle) const;

  /// Inputs in all sums so far.
  std::uint64_t folded() const { return folded_; }

 private:
  // How sums change when mass of a row moves from its first value to another one, per such value.
  using Slopes = std::vector<Span>;
  // Of one label.
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
