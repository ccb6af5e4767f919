// CDP levels that keep BCDP levels under given correlation, or the BCDP levels that CDP levels keep.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/level.h"

namespace oddsbound::reports {

/// The levels of one coordinate.
struct SplitLevel {
  std::string coordinate;
  Number correlation;
  std::optional<Level> delta{};  // the BCDP level to keep
  Level cdp, bcdp;               // bcdp: an upper bound, by Proposition 4
};

struct Split {
  std::string by;  // "proposition 4", "proposition 6", "one LDP budget", "given"
  Level ldp;       // of the whole mechanism
  std::vector<SplitLevel> levels;
  /// Whether the condition of Proposition 6 holds; nullopt: no delta is given.
  std::optional<Answer> proposition_6{};
};

struct SplitResult {
  std::vector<Split> splits;

  /// 1 if given CDP levels do not keep a given delta.
  int exit_status() const;
};

std::string to_json(const SplitResult& result);

std::string text_split(const SplitResult& result);

}  // namespace oddsbound::reports
