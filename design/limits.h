// What a mechanism that is to be designed must keep: limits on quotients of probabilities, as claims define them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "verifier/exact/level.h"
#include "verifier/linear/basis.h"
#include "verifier/model/definition.h"

namespace oddsbound::designs {

/// P(y given a side) = sum over inputs of weight * P(y given x).
using Side = std::vector<std::pair<std::uint64_t, Number>>;

/// For every output y and every pair of sides: P(y given from) <= e^level P(y given to); or, with delta, what exceeds
/// that adds up, over all outputs, to delta at most. together: what adds up is, for each output, the largest excess of
/// all pairs, and comes to e^level delta at most.
struct Limit {
  std::size_t demand = 0;  // by which of what is asked for
  std::string about;       // the coordinate, if there is one
  Level level;
  Number delta{0};
  bool together = false;
  std::vector<Side> sides;
  std::vector<std::string> names;  // of sides
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  /// Where sides are under another prior than the model's: inputs with their masses.
  std::vector<std::pair<std::uint64_t, Number>> prior{};
};

/// What a side of that label is called: the values of an input with commas between them (domain.h).
std::string name_of(const Label& label);

/// What a definition says of a mechanism on the model's domain, under its prior; labels without mass are nobody's.
/// Throws ModelError where it is about more than limits of probabilities given inputs or labels.
std::vector<Limit> limits_of(const Model& model, const Definition& definition, std::size_t demand);

/// The best guess at a coordinate, or (none) at the whole input, is right at most e^level times as often after the
/// output as before: for each output, P(label, output) of the likeliest label adds up to that often at most.
Limit limit_of_guesses(const Model& model, std::optional<std::size_t> coordinate, const Level& level,
                       std::size_t demand);

/// By level: e^level, or where that is no rational number the fractions of that denominator next to it (1 at least);
/// denominator 0: e^level all the same.
struct Bounds {
  std::vector<Number> below, above;
  bool are_exact() const { return below == above; }
};
Bounds bounds_of(const std::vector<Level>& levels, std::uint64_t denominator);
std::vector<Level> levels_of(const std::vector<Limit>& limits);

/// What excesses add up to at most.
inline Number allowed_excess(const Limit& limit, const Number& bound) {
  return limit.together ? bound * limit.delta : limit.delta;
}

/// Leaves out pairs of inputs that two others imply: P(y given a) <= e^l P(y given b) and P(y given b) <= e^m P(y given
/// c), both levels above 0, are enough for a pair a, c whose level is l + m or more. So of levels that are distances
/// neighbors remain. The limits are those of one definition.
void leave_out_implied(std::vector<Limit>& limits);

// A linear program as it grows: unknowns that are nowhere negative, what adds up to what, and what is at most what.

class Inequalities {
 public:
  using Form = std::map<std::size_t, Number>;  // multiples of unknowns, to be added

  /// once: an inequality that is there already is not added again.
  explicit Inequalities(bool once) : once_(once) {}

  std::size_t unknowns(std::size_t count);  // the first of so many
  std::size_t unknown() { return unknowns(1); }
  /// The row where it stands. right: not negative.
  std::size_t equal(const Form& form, Number right);
  std::size_t at_most(Form form, const Number& right);

  const linear::Equations& equations() const { return equations_; }

 private:
  std::size_t add(const Form& form, Number right);

  linear::Equations equations_;
  bool once_;
  std::map<std::vector<std::pair<std::size_t, std::string>>, std::size_t> known_;  // rows by what they say
};

// What is lost where each attribute has randomized response of its own.
//
// Of k values, k-randomized response at level log(L) is the matrix t I + (1 - t)/k J, with t = (L - 1)/(L + k - 1) and
// J all ones. J J = k J, so its product with the one of s is the one of s t: at a lower level it is that at a higher
// one, post-processed, and what post-processing keeps holds below wherever it holds. Its inverse is the one of 1/t, of
// which each column has the squared norm c = ((k - 1)/t^2 + 1)/k. The inverse of a product of matrices is the product
// of theirs, and squared norms of columns multiply: the estimate of a marginal that an output stands for has a squared
// norm that is the same for all outputs. Less the sum of squares of the true shares, that is its variance.
//
// Levels are told by 1 - 1/L, in [0, 1]: 0 tells nothing, 1 is the truth (L infinite).

/// log(L).
Level level_of_height(const Number& height);
/// 1 - 1/L.
Number height_of_level(const Level& level);

/// That the output is the true one of so many values: L/(L + k - 1).
Number truth_share(const Number& height, std::uint64_t values);
/// The squared norm of a column of the inverse; none where there is no inverse.
std::optional<Number> estimate_norm(const Number& height, std::uint64_t values);

}  // namespace oddsbound::designs
