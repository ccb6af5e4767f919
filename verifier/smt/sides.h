// The two sides of a comparison in exact arithmetic: the data of the queries, and of the checks of their answers.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "verifier/model/definition.h"

namespace oddsbound::smt {

/// The sides of a comparison in a model: for each side its mass, and P(y given side) times the mass. An input has
/// mass 1.
struct Sides {
  std::vector<std::vector<Number>> joint;  // [side][output]
  std::vector<Number> mass;
  std::vector<std::uint64_t> possible;  // the sides of positive mass
};

/// Returns the sides of a comparison: all inputs, or its labels under the prior.
Sides sides_of(const Model& model, const Comparison& comparison, const std::vector<std::vector<Number>>& rows,
               Budget& budget);

/// A refutation of a comparison: an event, and two sides (sets of labels, or one input each).
struct Violation {
  std::vector<std::uint64_t> event;
  std::vector<std::uint64_t> from;
  std::vector<std::uint64_t> to;
};

/// Compares P(R, from) mass(to) - delta mass(from) mass(to) with e^level P(R, to) mass(from); greater means a
/// violation. Evaluates at the given values of the symbols, if any.
std::strong_ordering weigh(const Comparison& comparison, const Sides& sides, const Violation& violation,
                           const std::vector<Number>& values);

/// Returns whether the pair attains the level (or delta) of a comparison at these values of the symbols. A level
/// of 0 is always attained.
bool attains(const Comparison& comparison, const Sides& sides, std::uint64_t from, std::uint64_t to,
             const std::vector<Number>& values);

/// Returns the ordered pairs of sides of a comparison: its pairs of inputs, or any two labels of positive mass.
std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_of(const Comparison& comparison, const Sides& sides);

/// Returns a label as text: itself, or "(a, b)".
std::string party_text(const Label& party);
/// Returns a comparison's label with its evidence: "yes given class=2nd".
std::string label_text(const Comparison& comparison, std::uint64_t label);

}  // namespace oddsbound::smt
