// Specs as people lay them out: a coordinate and a claim in a line each. For the files of runs only (heavy library).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/namespaces.h"
#include "reports/spec_result.h"
#include "specs/json_document.h"
#include "specs/spec.h"
#include "verifier/exact/number.h"

namespace oddsbound::app {

/// The spec as the text of a file. Throws ModelError for a string that is not UTF-8.
std::string spec_text(const nlohmann::ordered_json& spec);

/// How a spec in that folder (empty: this one) calls a file: as both are called, for links are not followed where a
/// spec names a file.
std::string name_from(const std::string& folder, const std::string& file);

/// Letters and digits of a text, all else as '-': for the names of files.
std::string as_file_name(const std::string& text);

// Specs whose mechanism is a matrix that was computed. For the files of runs only (heavy library).

/// What a document says, for a spec that is made of it: numbers as they are written there, to the last digit.
nlohmann::ordered_json json_of(specs::JsonView value);

/// A mechanism of these rows, without outputs that are never given.
nlohmann::ordered_json matrix_of(const std::vector<std::string>& outputs, const std::vector<std::vector<Number>>& rows);

/// The table of a spec's prior, if it is in a file, as a spec in the folder calls it; file: where it was read.
void name_prior_from(nlohmann::ordered_json& spec, const std::string& folder, const std::string& file);

// Priors that show levels over sets, as specs of their own: whoever doubts a level verifies them.

/// For every level of a claim over a set of priors that a prior shows, a spec with that prior, the same mechanism as a
/// matrix, and claims that say what it shows: less than the level is refuted, and the level holds (tight, if the prior
/// attains it; not over a sample, whose priors are allowed where the witness looks and nowhere else).
/// Throws LimitError past the budget, ModelError for names that JSON cannot hold.
std::vector<NamedText> witness_specs(const Spec& spec, const ClaimResult& result, Budget& budget);

}  // namespace oddsbound::app
