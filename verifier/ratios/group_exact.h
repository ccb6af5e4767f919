// The second pass of a search over groups: of the outputs that doubles could not discard (group_ratios.h), the groups
// that may be extreme are summed exactly; groups that add the same weights to the same values are summed once.
#pragma once

#include "verifier/exact/level.h"
#include "verifier/ratios/group_ratios.h"

namespace oddsbound::ratios {

struct GroupLevel {
  Level level;
  std::uint64_t output = 0;
  std::size_t from = 0;
  std::size_t to = 0;
  Number p_from;
  Number p_to;
  bool shown = true;  // false: between these sides no quotient is 1 or larger, which only parts of a channel have
};

/// The best of the outputs that survived, by exact comparison; the first one among equals. Throws LimitError past the
/// budget.
GroupLevel exact_best(const Columns& columns, const Prior& prior, const GroupRatios& ratios, Budget& budget);

}  // namespace oddsbound::ratios
