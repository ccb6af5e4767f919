// What a request wants of a mechanism where that adds up over columns, and the outputs are whatever columns are best.
#pragma once

#include <optional>

#include "specs/reading.h"
#include "verifier/exact/linear.h"

namespace oddsbound::specs {

struct ColumnGoal {
  enum class Kind { kInformation, kLargestOf, kFrequencies };
  Kind kind;
  JsonView at;          // the objective
  exact::Matrix forms;  // of the second kind, by input
};

/// None if the objective is a loss. root: the request. Throws SpecError for what is wrong with it.
std::optional<ColumnGoal> read_column_goal(const Fields& objective, const Fields& root, const Model& model,
                                           ReadingContext& context);

}  // namespace oddsbound::specs
