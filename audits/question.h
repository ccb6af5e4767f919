// What an audit asks of a sampler: between which sides outputs are compared, and at which levels they are claimed to
// be indistinguishable. Made from the bare definitions of claims (verifier/privacy/definition.h), so that a notion
// with a definition can be audited.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "specs/spec.h"

namespace oddsbound::audits {

/// Whom the mechanism is run for: one input, or inputs drawn from the prior given a label.
struct Side {
  Party party;
  std::vector<std::uint64_t> inputs;
  std::vector<Number> probabilities;  // of these, sum 1
};

struct ClaimedLevel {
  std::size_t claim = 0;  // its index in the spec
  Level level;            // or delta at `at`
  Number delta;
  bool expect_holds = true;
};

struct Question {
  std::string notion;
  std::string about;  // the coordinate, if it is about one
  std::vector<Side> sides;
  std::vector<std::uint32_t> side_of;                          // per input; kNoSide: of none
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // of sides, as they are compared: from, to
  std::vector<std::vector<std::uint32_t>> groups;              // of sides, all of which are compared with one another
  std::optional<Level> at;                                     // what is bounded is delta, at this level
  std::vector<ClaimedLevel> claims;

  static constexpr std::uint32_t kNoSide = UINT32_MAX;
  bool bounds_delta() const { return at.has_value(); }
  /// "bcdp sex".
  std::string title() const;
};

/// The questions behind the spec's claims; with all_levels (or without claims) also those behind every notion that is
/// audited without one. Questions that compare the same sides are one. Throws LimitError for more than 2048 inputs
/// or 256 questions.
std::vector<Question> questions_of(const Spec& spec, bool all_levels, Budget& budget);

}  // namespace oddsbound::audits
