// Which of several groups may stand on which side of a quotient.
#pragma once

#include <cstddef>
#include <vector>

namespace oddsbound::ratios {

/// By group; empty: any may.
struct Direction {
  std::vector<bool> from;
  std::vector<bool> to;

  bool may_be_from(std::size_t group) const { return from.empty() || from[group]; }
  bool may_be_to(std::size_t group) const { return to.empty() || to[group]; }
  bool allows(std::size_t a, std::size_t b) const { return a != b && may_be_from(a) && may_be_to(b); }
  friend bool operator==(const Direction&, const Direction&) = default;
};

}  // namespace oddsbound::ratios
