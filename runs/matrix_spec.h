// Specs whose mechanism is a matrix that was computed. For the files of runs only (heavy library).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "specs/json_document.h"
#include "verifier/exact/number.h"

namespace oddsbound::runs {

/// What a document says, for a spec that is made of it: numbers as they are written there, to the last digit.
nlohmann::ordered_json json_of(specs::JsonView value);

/// A mechanism of these rows, without outputs that are never given.
nlohmann::ordered_json matrix_of(const std::vector<std::string>& outputs, const std::vector<std::vector<Number>>& rows);

/// The table of a spec's prior, if it is in a file, as a spec in the folder calls it; file: where it was read.
void name_prior_from(nlohmann::ordered_json& spec, const std::string& folder, const std::string& file);

}  // namespace oddsbound::runs
