// Claims about what a release tells on average: Bayes leakage, mutual information.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/measures/leakage.h"
#include "verifier/notions/notion.h"

namespace oddsbound::notions {

Notion bayes_leakage_notion();
Notion information_notion();

// What a release does to the odds of an attribute, in numbers that people ask for: how likely a value is beforehand,
// and after the output that tells most; how often that output comes up; the same for the most frequent output, and on
// average.

/// What one output says of a value.
struct Effect {
  std::string output;
  Number probability;  // of the output, under the prior
  Number posterior;    // of the value, given it
};

struct AttributeEffects {
  std::string value;  // the one that the BCDP level's witness makes likelier, or rules out
  Number prior;
  std::optional<Effect> worst;     // none where no output was looked at
  std::optional<Effect> frequent;  // none where outputs are too many to be gone through
  std::optional<Leakage> average;  // the same
};

struct Effects {
  std::vector<AttributeEffects> attributes;  // by coordinate; empty where a limit left out all
  std::optional<Leakage> record;
  std::string without;  // why something is missing
};

/// Of all coordinates, under the prior; whatever a limit leaves out is missing, and `without` says why.
Effects measure_effects(MeasuredModel& subject);

}  // namespace oddsbound::notions
