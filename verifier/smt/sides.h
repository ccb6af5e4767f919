// The two sides of a comparison in exact arithmetic: what solvers are asked about, and what their answers are checked
// by.
#pragma once

#include <compare>
#include <string>
#include <vector>

#include "verifier/model/definition.h"

namespace oddsbound::smt {

/// A model as what a comparison is about: for each side P(y given side) times its mass. The mass of an input is 1.
struct Sides {
  std::vector<std::vector<Number>> joint;  // [side][output]
  std::vector<Number> mass;
  std::vector<std::uint64_t> possible;  // the sides of positive mass
};

/// The sides of a comparison: all inputs, or its labels under the prior.
Sides sides_of(const Model& model, const Comparison& comparison, const std::vector<std::vector<Number>>& rows,
               Budget& budget);

/// What refutes a comparison: an event, and the sides (sets of labels, or one input each).
struct Violation {
  std::vector<std::uint64_t> event;
  std::vector<std::uint64_t> from;
  std::vector<std::uint64_t> to;
};

/// How P(R, from) mass(to) - delta mass(from) mass(to) compares with e^level P(R, to) mass(from): greater is a
/// violation. Numbers are taken at the given values of the symbols, if any.
std::strong_ordering weigh(const Comparison& comparison, const Sides& sides, const Violation& violation,
                           const std::vector<Number>& values);

/// Whether the pair attains the level (or delta) of a comparison at these values of the symbols. A level of 0 always
/// is.
bool attains(const Comparison& comparison, const Sides& sides, std::uint64_t from, std::uint64_t to,
             const std::vector<Number>& values);

/// The ordered pairs of sides that a comparison is about: its pairs of inputs, or any two labels of positive mass.
std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_of(const Comparison& comparison, const Sides& sides);

/// A label in words: itself, or "(a, b)".
std::string party_text(const Label& party);
/// The same of a comparison's label, with what is known besides: "yes given class=2nd".
std::string label_text(const Comparison& comparison, std::uint64_t label);

}  // namespace oddsbound::smt
