// Replays code that draws random choices on every sequence of outcomes, depth first, with an enclosure of the mass of
// each. Also computes the exact level that a question is about.
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

/// All choices met so far. A new one is announced once. Throws ModelError for a choice that is drawn while its own
/// code is being checked, because the proof would be circular.
class ChoiceRegistry {
 public:
  explicit ChoiceRegistry(std::function<void(const Choice&)> announce) : announce_(std::move(announce)) {}
  const StatedMasses& find(const Choice& choice);

 private:
  std::function<void(const Choice&)> announce_;
  std::map<ChoiceName, StatedMasses> known_;
};

/// The result of a replay: the masses of the outcomes, of rejected runs, and of what was cut off.
struct Distribution {
  std::vector<FixedInterval> outcomes;  // the last: all outcomes that the choice does not have
  FixedInterval rejected;
  FixedInterval cut;
  std::uint64_t runs = 0;
};

/// Replays all runs of choice.attempt. A run is cut off when its mass falls below 2^-cut_bits. Throws LimitError if
/// the budget is exceeded, ModelError if runs with the same outcomes do not make the same choices.
Distribution replay(const Choice& choice, unsigned cut_bits, ChoiceRegistry& registry, Budget& budget);

// Exact answers, to compare the bounds of an audit with: the level of the stated channel, computed directly from all
// pairs of sides that the question compares.

/// The answer to one question: a level, or a delta if question.bounds_delta().
struct ExactAnswer {
  std::optional<Level> level;
  std::optional<Number> delta;
};

/// Returns why there is no exact answer: the channel or the comparisons are too many to compute quickly. Empty if
/// there is one.
std::string why_no_exact_answer(const Question& question, const Channel& channel);
/// Returns neither value in this case.
ExactAnswer exact_answer(const Question& question, const Channel& channel, Budget& budget);

}  // namespace oddsbound::audits
