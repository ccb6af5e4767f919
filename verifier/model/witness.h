// Who leaks what: the output and the two sides that show a level, so that a person can check it by hand.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "verifier/exact/level.h"
#include "verifier/model/model.h"

namespace oddsbound::model {

/// One side of a comparison: a value or label, or the values of an input (or of several coordinates).
using Party = std::variant<std::string, std::vector<std::string>>;

struct Witness {
  std::vector<std::string> outputs;  // one output; for approximate_dp the outputs of the event
  Party from;
  Party to;
  Number p_from;
  Number p_to;
  std::string coordinate;  // the coordinate whose values from and to are; empty for others
};

struct MeasuredLevel {
  Level level;
  Witness witness;
  bool by_cases = false;  // followed from parts of the channel (cases.h)
};

/// A level between two inputs, with the output split into those of the channel's factors.
struct InputLevel {
  Level level;
  std::vector<std::uint64_t> output;
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  bool by_cases = false;
};

MeasuredLevel measured(const Model& model, const InputLevel& level);

/// log(p_from / p_to), where p_to = 0 is an infinite level. p_from > 0 and p_from >= p_to.
Level level_between(const Number& p_from, const Number& p_to);

}  // namespace oddsbound::model
