// Everything that `analyze` measures of a spec, as one list: text output prints it, the lock keeps it.
#pragma once

#include <string>
#include <vector>

#include "results/spec_result.h"

namespace oddsbound::results {

struct Quantity {
  std::string notion;
  std::string coordinate;  // empty for a notion that has one level
  std::string beside;      // "knowing class", "for all near": under which assumption, where it is not the plain level
  std::string kind;        // of a bound: "bound of Proposition 4"
  MeasuredLevel level;
  bool of_prior = false;    // it depends on the prior
  bool is_bound = false;    // a bound that the literature gives of a level that stands beside it
  bool for_others = false;  // its decimals are rounded up: a bound that was computed with doubles, or is confidential
  std::string words;        // which output shows it; what a bound rests on
};

/// In the order in which they are printed: levels of the whole input, then by coordinate, each with what stands beside
/// it.
std::vector<Quantity> quantities(const SpecResult& spec);

}  // namespace oddsbound::results
