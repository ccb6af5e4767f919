// What a request asks for whose mechanism is to be randomized response of each attribute (docs/design.md, "One matrix
// for each attribute").
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verifier/exact/number.h"
#include "verifier/model/domain.h"

namespace oddsbound::specs {

/// The joint shares of some attributes are to be estimated; their error counts so much.
struct WantedMarginal {
  std::vector<std::size_t> attributes;
  Number weight{1};
};

struct ProductForm {
  enum class Loss { kEstimates, kZeroOne, kHamming };

  bool tied = false;                   // one level for all
  Number gap = Number::ratio(1, 100);  // a share of the loss
  std::uint64_t most_decisions = 10'000;
  std::vector<std::size_t> attributes;  // that are released
  Loss loss = Loss::kZeroOne;
  std::vector<WantedMarginal> marginals;  // of kEstimates
  std::string words;                      // "expected zero_one loss"
};

}  // namespace oddsbound::specs
