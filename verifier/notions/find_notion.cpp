#include "verifier/notions/table.h"

namespace oddsbound::notions {

std::vector<const Notion*> measured_notions(bool by_coordinate) {
  std::vector<const Notion*> found;
  for (const Notion& notion : notion_table()) {
    if (notion.measure && (notion.form == ClaimForm::kByCoordinate) == by_coordinate) found.push_back(&notion);
  }
  return found;
}

const Notion* find_notion(std::string_view name) {
  for (const Notion& notion : notion_table()) {
    if (notion.name == name) return &notion;
  }
  return nullptr;
}

}  // namespace oddsbound::notions
