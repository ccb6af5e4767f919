// Specs of every family at a small size, for tests that run over all of them.
#pragma once

#include <string>
#include <vector>

#include "specs/spec.h"

namespace oddsbound::testing {

struct FamilyExample {
  std::string domain;     // JSON
  std::string mechanism;  // JSON
};

/// At least one example per family; continuous families are left out.
const std::vector<FamilyExample>& finite_examples();

/// The spec of a domain and a mechanism.
Spec read_example(const std::string& domain, const std::string& mechanism, Budget& budget);

}  // namespace oddsbound::testing
