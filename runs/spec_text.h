// Specs as people lay them out: a coordinate and a claim in a line each. For the files of runs only (heavy library).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/namespaces.h"

namespace oddsbound::runs {

/// The spec as the text of a file. Throws ModelError for a string that is not UTF-8.
std::string spec_text(const nlohmann::ordered_json& spec);

/// How a spec in that folder (empty: this one) calls a file: as both are called, for links are not followed where a
/// spec names a file.
std::string name_from(const std::string& folder, const std::string& file);

/// Letters and digits of a text, all else as '-': for the names of files.
std::string as_file_name(const std::string& text);

}  // namespace oddsbound::runs
