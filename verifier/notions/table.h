// The table of all notions. It is compiled alone: a program that links the library may bring a table of its own.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// All notions, in the order of the documentation.
std::span<const Notion> notion_table();
/// Those that are measured without a claim: with one level, or with one for every coordinate.
std::vector<const Notion*> measured_notions(bool by_coordinate);
/// The notion of that name, or null.
const Notion* find_notion(std::string_view name);

}  // namespace oddsbound::notions
