// Claims as limits on a mechanism that is to be made, or mended.
#pragma once

#include "specs/spec.h"
#include "verifier/optimal/over_sets.h"

namespace oddsbound::runs {

struct ClaimLimits {
  std::vector<optimal::Limit> limits;  // sides are inputs
  std::vector<optimal::OverSetLimit> over_sets;

  bool empty() const { return limits.empty() && over_sets.empty(); }
};

/// Adds what a claim limits (specs::limits_mechanisms), which is the one of that number.
void add_limits(const Model& model, const specs::Claim& claim, std::size_t number, ClaimLimits& all);

}  // namespace oddsbound::runs
