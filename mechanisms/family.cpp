#include "mechanisms/family.h"

#include "mechanisms/k_randomized_response.h"

namespace oddsbound {

std::span<const Family> families() {
  static const std::vector<Family> table = {
      k_randomized_response_family(),
  };
  return table;
}

const Family* find_family(std::string_view name) {
  for (const Family& family : families()) {
    if (family.name == name) return &family;
  }
  return nullptr;
}

}  // namespace oddsbound
