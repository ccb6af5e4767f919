#include "mechanisms/family.h"

// The registry: one name per family. A family `name` is made by name::family(), defined in name.cpp.
#define ODDSBOUND_FAMILIES(family)                                                                                  \
  family(k_randomized_response) family(optimal_binary) family(hadamard_response) family(high_low_hadamard_response) \
      family(block_hadamard_response) family(subset_selection) family(unary_encoding) family(rappor)                \
          family(optimized_local_hashing) family(truncated_geometric) family(discrete_laplace_truncated)            \
              family(discrete_gaussian_truncated) family(exponential_mechanism) family(duchi_hypercube)             \
                  family(bcdp_mean) family(duchi_l2_ball) family(bcdp_mean_l2)

namespace oddsbound::mechanisms {

#define ODDSBOUND_DECLARE(name) \
  namespace name {              \
  Family family();              \
  }
ODDSBOUND_FAMILIES(ODDSBOUND_DECLARE)

std::span<const Family> families() {
#define ODDSBOUND_MAKE(name) name::family(),
  static const std::vector<Family> table = {ODDSBOUND_FAMILIES(ODDSBOUND_MAKE)};
  return table;
}

const Family* find_family(std::string_view name) {
  for (const Family& family : families()) {
    if (family.name == name) return &family;
  }
  return nullptr;
}

}  // namespace oddsbound::mechanisms
