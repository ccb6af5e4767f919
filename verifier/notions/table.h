// The table of all notions. It is compiled alone: a program that links the library may bring its own table.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "verifier/notions/notion.h"

namespace oddsbound::notions {

/// All notions, in the order of the documentation.
std::span<const Notion> notion_table();
/// Returns the notions that are measured without a claim: those with one level, or those with one per coordinate.
std::vector<const Notion*> measured_notions(bool by_coordinate);
/// Returns the notion of that name, or null.
const Notion* find_notion(std::string_view name);

}  // namespace oddsbound::notions
