#include "verifier/notions/table.h"

namespace oddsbound {

const Notion* find_notion(std::string_view name) {
  for (const Notion& notion : notions()) {
    if (notion.name == name) return &notion;
  }
  return nullptr;
}

}  // namespace oddsbound
