// Replays code that draws random choices on every sequence of outcomes, depth first, with the exact mass of each.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "audits/answer.h"
#include "audits/question.h"
#include "base/budget.h"
#include "mechanisms/random/choice.h"

namespace oddsbound::audits {

/// The stated probabilities of a choice, enclosed.
struct StatedMasses : mechanisms::StatedWeights<FixedInterval> {
  bool open = true;  // its code is still being checked
};

/// Knows every choice that was met; a new one is announced once. Throws ModelError for a choice that is drawn while its
/// own code is being checked: what it states would be shown by what it states.
class ChoiceRegistry {
 public:
  explicit ChoiceRegistry(std::function<void(const Choice&)> announce) : announce_(std::move(announce)) {}
  const StatedMasses& find(const Choice& choice);

 private:
  std::function<void(const Choice&)> announce_;
  std::map<ChoiceName, StatedMasses> known_;
};

/// What a replay found: the mass of each outcome, of runs that asked to be run again, and of what was cut off.
struct Distribution {
  std::vector<FixedInterval> outcomes;  // the last is that of all outcomes that the choice does not have
  FixedInterval rejected;
  FixedInterval cut;
  std::uint64_t runs = 0;
};

/// All runs of choice.attempt. A run whose mass has fallen below 2^-cut_bits is cut off. Throws LimitError past the
/// budget, ModelError if runs with the same outcomes of choices do not make the same choices.
Distribution replay(const Choice& choice, unsigned cut_bits, ChoiceRegistry& registry, Budget& budget);

// What an audit's bounds are to be read beside: the level that a question is about, exactly, of the stated channel and
// straight from the question: every two sides that it compares.

/// Of one question: a level, or a delta (question.bounds_delta()).
struct ExactAnswer {
  std::optional<Level> level;
  std::optional<Number> delta;
};

/// Neither is set if the channel or the comparisons are too many to be looked at in passing.
ExactAnswer exact_answer(const Question& question, const Channel& channel, Budget& budget);

}  // namespace oddsbound::audits
