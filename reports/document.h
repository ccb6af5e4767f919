// What all JSON documents of the program have in common. For the files of reports and cli only (heavy library).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "verifier/exact/number.h"

namespace oddsbound {

/// {"oddsbound": 1, "tool": ...}: how every document begins.
nlohmann::ordered_json json_head();

/// Rows of exact numbers.
nlohmann::ordered_json matrix_json(const std::vector<std::vector<Number>>& matrix);

/// The document as text, whatever bytes its strings hold.
std::string json_text(const nlohmann::ordered_json& document);

}  // namespace oddsbound
