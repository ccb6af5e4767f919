// What all JSON documents of the program have in common. For the files of results, runs, reports and cli only (heavy
// library).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "base/namespaces.h"

namespace oddsbound::results {

/// {"oddsbound": 1, "tool": ...}: how every document begins. version: of the program that found what it says, this one
/// unless it is given.
nlohmann::ordered_json json_head();
nlohmann::ordered_json json_head(const std::string& version);

/// The document as text, whatever bytes its strings hold.
std::string json_text(const nlohmann::ordered_json& document);

/// A part of one, for documents that are put together from lines.
std::string one_line(const nlohmann::ordered_json& part);

}  // namespace oddsbound::results
