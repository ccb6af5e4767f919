// What all ways of making a mechanism for a request have in common. For the files of runs only (heavy library).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/design_result.h"
#include "specs/design.h"

namespace oddsbound::runs {

/// The rows of the mechanism: one for all inputs that agree on what it reads.
struct ReadRows {
  std::vector<std::uint64_t> of_input;
  std::vector<std::string> names;  // what is read; no two are alike
};
ReadRows rows_of(const specs::DesignFile& request);

/// The mechanism's matrix in a spec: a row for each input.
nlohmann::ordered_json matrix_by_input(const ReadRows& rows, const results::ShownMatrix& matrix);
/// The spec of what was made, with the constraints as claims. told: what was to be least, or most, and how much that
/// is.
nlohmann::ordered_json spec_of(const specs::DesignFile& request, const std::string& told,
                               nlohmann::ordered_json mechanism, const std::string& folder);

}  // namespace oddsbound::runs
