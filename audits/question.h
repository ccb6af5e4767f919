// The questions of an audit: the sides between which outputs are compared, and the levels at which they are claimed
// to be indistinguishable. Built from the comparisons that follow from claims (Notion::imply), or from their bare
// definitions (verifier/model/definition.h), so every notion with one of the two can be audited.
//
// Everyone includes the people with a label, so that their runs are not independent. With the probability p of the
// label, P = p P(given it) + (1 - p) P(given another one). So a level of a label against everyone is one between the
// label and all others:
//
//   P(R given s) <= E P(R) + d  if and only if  (1 - E p) P(R given s) <= E (1 - p) P(R given not s) + d,
//   P(R) <= E P(R given s) + d  if and only if  (1 - p) P(R given not s) <= (E - p) P(R given s) + d.
//
// For E p >= 1 nothing violates the first one.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "audits/choice.h"
#include "audits/outcomes.h"
#include "base/budget.h"
#include "specs/spec.h"

namespace oddsbound::audits {

/// An input of the mechanism: a single one, or inputs drawn from the prior given a label.
struct Side {
  Label party;
  std::vector<std::uint64_t> inputs;
  std::vector<Number> probabilities;  // of these inputs; sum 1
  /// The label given which inputs are drawn from the prior, if they are too many to list.
  std::optional<std::uint32_t> drawn{};
};

struct ClaimedLevel {
  std::size_t claim = 0;  // index in the spec
  Level level;            // or delta at level `at`
  Number delta;
  bool expect_holds = true;
};

struct Question {
  std::string notion;
  std::string about;  // the coordinate, if it is about one
  /// For comparisons that follow from claims: what is compared, for example "between neighbors". Otherwise empty.
  std::string implied{};
  std::vector<Side> sides;
  std::vector<std::uint32_t> side_of;                          // per input index; kNoSide: none
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // of sides, as compared: from, to
  std::vector<std::vector<std::uint32_t>> groups;              // of sides that are all compared with one another
  std::optional<Level> at;                                     // set if delta is bounded, at this level
  std::vector<ClaimedLevel> claims;
  InputChoicePtr among{};  // the indexed inputs; null: all inputs, by their numbers
  /// The label of an input, for sides that are drawn.
  std::function<std::uint32_t(InputView row)> label_at{};

  /// Returns the side of a run. A run is identified by an input index, or by side_of.size() + side if its input was
  /// drawn.
  std::uint32_t side_of_run(std::uint64_t input) const {
    return input < side_of.size() ? side_of[input] : static_cast<std::uint32_t>(input - side_of.size());
  }
  bool is_drawn() const { return bool(label_at); }
  bool compares_inputs = true;  // not values or labels

  static constexpr std::uint32_t kNoSide = UINT32_MAX;
  bool bounds_delta() const { return at.has_value(); }
  /// For example "bcdp sex", "between neighbors, implied by claim 0".
  std::string title() const;
};

/// The questions behind claims, and why other claims have none, as far as that depends on more than the claim.
struct AskedClaims {
  std::vector<Question> questions;
  std::map<std::size_t, std::string> unasked;  // by index of the claim
};

/// Returns the questions behind the spec's claims. With all_levels (or without claims) also those behind every notion
/// that can be audited without a claim. Claims whose level has a square root are skipped. Questions that compare the
/// same sides are merged, but comparisons that follow from claims only with one another. among: the inputs to compare;
/// nullptr: all. A claim is left out if it has more comparisons than can be audited, or if inputs cannot be drawn given
/// a value or label of it. Throws LimitError for more than 2048 inputs without `among`, and for more than 256
/// questions.
AskedClaims asked_claims(const Spec& spec, bool all_levels, Budget& budget, const InputChoicePtr& among = nullptr);
/// The questions alone.
std::vector<Question> questions_of(const Spec& spec, bool all_levels, Budget& budget,
                                   const InputChoicePtr& among = nullptr);
/// Returns true if audits test claims of the notion with these arguments.
bool is_audited(const Notion& notion, const Arguments& arguments);
/// Returns arguments of a claim without a level: the sides are compared at any level.
Arguments at_level_zero(const Notion& notion, const Domain& domain);

}  // namespace oddsbound::audits
