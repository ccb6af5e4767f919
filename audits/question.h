// What an audit asks of a sampler: between which sides outputs are compared, and at which levels they are claimed to
// be indistinguishable. Made from the bare definitions of claims (verifier/privacy/definition.h), so that a notion
// with a definition can be audited.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "audits/choice.h"
#include "base/budget.h"
#include "specs/spec.h"

namespace oddsbound::audits {

/// Whom the mechanism is run for: one input, or inputs drawn from the prior given a label.
struct Side {
  Label party;
  std::vector<std::uint64_t> inputs;
  std::vector<Number> probabilities;  // of these, sum 1
  /// The label given which inputs are drawn from the prior, where they are too many to be listed.
  std::optional<std::uint32_t> drawn{};
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
  std::vector<std::uint32_t> side_of;                          // per place; kNoSide: of none
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // of sides, as they are compared: from, to
  std::vector<std::vector<std::uint32_t>> groups;              // of sides, all of which are compared with one another
  std::optional<Level> at;                                     // what is bounded is delta, at this level
  std::vector<ClaimedLevel> claims;
  InputChoicePtr among{};  // whose places inputs are; null: all are tried, by their numbers
  /// Of sides that are drawn: which label an input has.
  std::function<std::uint32_t(InputView row)> label_at{};

  /// Of a run: of a place, or as it was dealt for a side that is drawn.
  std::uint32_t side_of_run(std::uint64_t input) const {
    return input < side_of.size() ? side_of[input] : static_cast<std::uint32_t>(input - side_of.size());
  }
  bool is_drawn() const { return bool(label_at); }
  bool compares_inputs = true;  // and not values or labels

  static constexpr std::uint32_t kNoSide = UINT32_MAX;
  bool bounds_delta() const { return at.has_value(); }
  /// "bcdp sex".
  std::string title() const;
};

/// The questions behind the spec's claims; with all_levels (or without claims) also those behind every notion that is
/// audited without one. Claims of levels with a square root in them ask nothing. Questions that compare the same sides
/// are one. among: the inputs to compare; null: all. Throws LimitError for more than 2048 inputs if that are all, for
/// 256 questions, and for a value or label too rare to draw inputs given it.
std::vector<Question> questions_of(const Spec& spec, bool all_levels, Budget& budget,
                                   const InputChoicePtr& among = nullptr);
/// A claim of no level at all: sides are compared at any.
Arguments at_level_zero(const Notion& notion, const Domain& domain);

}  // namespace oddsbound::audits
