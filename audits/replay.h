// Replays code that draws random choices on every sequence of outcomes, depth first, with the exact mass of each.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "audits/mass.h"
#include "mechanisms/random/choice.h"
#include "verifier/exact/budget.h"

namespace oddsbound {

/// The stated probabilities of a choice, enclosed.
struct StatedMasses {
  std::uint64_t outcomes = 0;
  Mass each;                 // of a uniform choice
  std::vector<Mass> masses;  // of all others
  const Mass& of(std::uint64_t outcome) const { return masses.empty() ? each : masses[outcome]; }
};

/// Knows every choice that was met, by its key; a new one is announced once.
class ChoiceRegistry {
 public:
  explicit ChoiceRegistry(std::function<void(const Choice&)> announce) : announce_(std::move(announce)) {}
  const StatedMasses& find(const Choice& choice);

 private:
  std::function<void(const Choice&)> announce_;
  std::map<Choice::Key, StatedMasses> known_;
};

/// What a replay found: the mass of each outcome, of runs that asked to be run again, and of what was cut off.
struct Distribution {
  std::vector<Mass> outcomes;  // the last is that of all outcomes that the choice does not have
  Mass rejected;
  Mass cut;
  std::uint64_t runs = 0;
};

/// All runs of choice.attempt. A run whose mass has fallen below 2^-cut_bits is cut off. Throws LimitError past the
/// budget.
Distribution replay(const Choice& choice, unsigned cut_bits, ChoiceRegistry& registry, Budget& budget);

}  // namespace oddsbound
