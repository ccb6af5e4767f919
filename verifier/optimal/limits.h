// What a mechanism that is to be designed must keep: limits on quotients of probabilities, as claims define them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "verifier/model/definition.h"

namespace oddsbound::optimal {

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

/// What a side of that label is called: the values of an input with commas between them (joined_values.h).
std::string name_of(const Party& label);

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

}  // namespace oddsbound::optimal
