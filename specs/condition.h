// A condition on inputs: a set of values for each of some coordinates.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "specs/json_document.h"
#include "verifier/model/domain.h"

namespace oddsbound::specs {

struct Condition {
  std::vector<std::pair<std::size_t, std::vector<bool>>> values;  // of a coordinate; all of them must match

  bool matches(const Domain& domain, std::uint64_t input) const;
};

/// Reads {coordinate: value or [values]}. An empty object matches every input.
Condition read_condition(JsonView value, const Domain& domain);

}  // namespace oddsbound::specs
