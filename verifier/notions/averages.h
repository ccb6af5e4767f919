// Notions about what a release reveals on average: Bayes leakage, maximal leakage and mutual information. Also the
// effects of a release on each attribute.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "verifier/measures/leakage.h"
#include "verifier/notions/notion.h"

namespace oddsbound::notions {

Notion bayes_leakage_notion();
/// log(sum over outputs y of the largest P(y given s)), over the values s that have mass.
Notion maximal_leakage_notion();
Notion information_notion();

// Effects of a release on an attribute, as numbers that people ask for: the probability of a value beforehand, and
// after the worst output; the probability of that output; the same for the most frequent output, and on average.

/// The effect of one output on the probability of a value.
struct Effect {
  std::string output;
  Number probability;  // of the output, under the prior
  Number posterior;    // of the value, given the output
};

struct AttributeEffects {
  std::string value;  // the value that the BCDP witness makes more likely, or rules out
  Number prior;
  std::optional<Level> level;   // the BCDP level, or its proved upper bound; nullopt in documents of versions up to 0.5
  std::optional<Effect> worst;  // nullopt if no output was found
  std::optional<Effect> frequent;  // nullopt if there are too many outputs to enumerate
  std::optional<Leakage> average;  // the same
};

struct Effects {
  std::vector<AttributeEffects> attributes;  // by coordinate; empty if a limit prevented all of them
  std::optional<Leakage> record;
  std::string without;  // why something is missing
};

/// Returns the effects for all coordinates under the prior. Results that reach a limit are missing, and `without`
/// has the reason.
Effects measure_effects(MeasuredModel& subject);

}  // namespace oddsbound::notions
