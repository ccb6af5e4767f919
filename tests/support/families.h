// Small specs of every family, for tests that run over all of them.
#pragma once

#include <string>
#include <vector>

#include "specs/spec.h"

namespace oddsbound::testing {

struct FamilyExample {
  std::string domain;     // JSON
  std::string mechanism;  // JSON
};

// Domains (JSON).
inline const std::string kTwo = R"j([{"name": "x", "size": 2}])j";
inline const std::string kThree = R"j([{"name": "x", "size": 3}])j";
inline const std::string kFive = R"j([{"name": "x", "size": 5}])j";
inline const std::string kPair = R"j([{"name": "a", "size": 2}, {"name": "b", "size": 2}])j";
/// One coordinate with k values.
inline std::string sized(int k) { return R"j([{"name": "x", "size": )j" + std::to_string(k) + "}]"; }

/// d coordinates c0, c1, ... with the values -1 and 1.
inline std::string signs(int d) {
  std::string text;
  for (int i = 0; i < d; ++i) {
    text += std::string(i > 0 ? ", " : "") + R"j({"name": "c)j" + std::to_string(i) + R"j(", "values": ["-1", "1"]})j";
  }
  return "[" + text + "]";
}

/// At least one example per family; continuous families are excluded.
const std::vector<FamilyExample>& finite_examples();

/// The spec of a domain and a mechanism.
Spec read_example(const std::string& domain, const std::string& mechanism, Budget& budget);

}  // namespace oddsbound::testing
