// Constraints on a mechanism to be designed: limits on quotients of probabilities, as claims define them. Also a
// linear program under construction, and the losses of randomized response per attribute.
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

/// P(y given side) = sum over its inputs of weight * P(y given x).
using Side = std::vector<std::pair<std::uint64_t, Number>>;

/// For every output y and pair of sides: P(y given from) <= e^level P(y given to). With delta, the excesses over
/// this bound sum to at most delta over all outputs. together: for each output only the largest excess over all
/// pairs counts, and these sum to at most e^level delta.
struct Limit {
  std::size_t demand = 0;  // index of the constraint that it is part of
  std::string about;       // the coordinate, or empty
  Level level;
  Number delta{0};
  bool together = false;
  std::vector<Side> sides;
  std::vector<std::string> names;  // of the sides
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  /// Inputs with their masses, if sides are under another prior than the model's.
  std::vector<std::pair<std::uint64_t, Number>> prior{};
};

/// Returns the name of the side with this label; the values of an input are separated by commas (domain.h).
std::string name_of(const Label& label);

/// Returns the limits that a definition sets to a mechanism on the model's domain, under its prior. Labels without
/// mass are left out. Limits at an infinite level are left out too.
std::vector<Limit> limits_of(const Model& model, const Definition& definition, std::size_t demand);

/// Returns the limit that the best guess at a coordinate, or (nullopt) at the whole input, is right at most
/// e^level times as often after the output as before: the sum over outputs of the largest P(label, output) is at
/// most e^level times the largest P(label).
Limit limit_of_guesses(const Model& model, std::optional<std::size_t> coordinate, const Level& level,
                       std::size_t demand);

/// By level: e^level if it is rational, otherwise the neighboring fractions with this denominator (at least 1).
/// denominator 0: always e^level.
struct Bounds {
  std::vector<Number> below, above;
  bool are_exact() const { return below == above; }
};
Bounds bounds_of(const std::vector<Level>& levels, std::uint64_t denominator);
std::vector<Level> levels_of(const std::vector<Limit>& limits);

/// The bound on the sum of excesses.
inline Number allowed_excess(const Limit& limit, const Number& bound) {
  return limit.together ? bound * limit.delta : limit.delta;
}

/// Removes pairs of inputs that two others imply: P(y given a) <= e^l P(y given b) and P(y given b) <= e^m P(y
/// given c), with l, m > 0, imply every limit between a and c with a level >= l + m. If levels are distances,
/// pairs of neighbors remain. Requires the limits of one definition. Changes nothing if a limit has a delta, a
/// root in its level, or sides of several inputs.
void leave_out_implied(std::vector<Limit>& limits);

// A linear program under construction: nonnegative unknowns, equations and inequalities.

class Inequalities {
 public:
  using Form = std::map<std::size_t, Number>;  // coefficients of unknowns

  /// once: an inequality that is already there is not added again.
  explicit Inequalities(bool once) : once_(once) {}

  std::size_t unknowns(std::size_t count);  // returns the first new one
  std::size_t unknown() { return unknowns(1); }
  /// Returns the row of the equation or inequality. right must not be negative.
  std::size_t equal(const Form& form, Number right);
  std::size_t at_most(Form form, const Number& right);

  const linear::Equations& equations() const { return equations_; }

 private:
  std::size_t add(const Form& form, Number right);

  linear::Equations equations_;
  bool once_;
  std::map<std::vector<std::pair<std::size_t, std::string>>, std::size_t> known_;  // rows by content
};

// Losses if each attribute has its own randomized response.
//
// For k values, k-randomized response at level log(L) is the matrix t I + (1 - t)/k J, with t = (L - 1)/(L + k -
// 1) and J all ones. Since J J = k J, its product with the matrix of s is the matrix of s t. So a lower level is a
// post-processing of a higher one, and every limit that post-processing preserves holds at lower levels wherever
// it holds at higher ones. The inverse is the matrix of 1/t, whose columns have squared norm c = ((k - 1)/t^2 +
// 1)/k. Inverses of Kronecker products are products of inverses, and squared norms of columns multiply: the
// estimate of a marginal from one output has the same squared norm for all outputs. Minus the sum of squares of
// the true fractions, that is its variance.
//
// Levels are represented by their height 1 - 1/L in [0, 1]: 0 reveals nothing, 1 reveals the value (L infinite).

/// Returns log(L).
Level level_of_height(const Number& height);
/// Returns 1 - 1/L.
Number height_of_level(const Level& level);

/// Returns the probability that the output is the true one of `values` values: L/(L + k - 1).
Number truth_share(const Number& height, std::uint64_t values);
/// Returns the squared norm of a column of the inverse; nullopt if there is no inverse.
std::optional<Number> estimate_norm(const Number& height, std::uint64_t values);

}  // namespace oddsbound::designs
