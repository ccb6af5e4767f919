// What all JSON documents of the program have in common. For the files of reports and cli only (heavy library).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "results/result.h"

namespace oddsbound {

/// {"oddsbound": 1, "tool": ...}: how every document begins.
nlohmann::ordered_json json_head();

/// What the program runs on and was built from.
nlohmann::ordered_json environment_json();

/// A value or label, or an array of values.
nlohmann::ordered_json party_json(const Party& party);

/// Rows of exact numbers.
nlohmann::ordered_json matrix_json(const std::vector<std::vector<Number>>& matrix);

/// Files with their hashes.
nlohmann::ordered_json files_json(const std::vector<SourceFile>& files);
/// The key `errors`, if there are any.
void add_errors(nlohmann::ordered_json& document, const std::vector<FileError>& errors);

/// A level with its decimals; without a witness.
nlohmann::ordered_json level_json(const Level& level);

/// The lines of a text, without their indentation.
std::vector<std::string> lines_of(const std::string& text);

/// The document as text, whatever bytes its strings hold.
std::string json_text(const nlohmann::ordered_json& document);

}  // namespace oddsbound
