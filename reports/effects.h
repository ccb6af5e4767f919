// Sentences about a release's effects on odds, for readers without background in privacy.
#pragma once

#include <string>
#include <vector>

#include "reports/spec_result.h"

namespace oddsbound::reports {

/// "2.3 %". Values strictly between 0 and 1 are never shown as 0 % or 100 %: "more than 99.9 %", "less than 0.01 %".
std::string percent(const Number& share);

/// "0.0363 bits".
std::string bits_words(double nats);
/// The actual value of a claim about averages.
std::string average_words(const Average& average);

inline constexpr const char* kEffectsTitle = "What an adversary with this prior learns";
/// Before the reason why a limit left something out (Effects::without).
inline constexpr const char* kEffectsOpen = "averages not computed: ";

/// About one attribute. Unknown parts are empty.
struct EffectWords {
  std::string coordinate;
  std::string worst;     // "for 2.3 % of people the release raises the probability of yes from 32.3 % to 54.7 %"
  std::string frequent;  // "the most frequent output, for 15.2 %, lowers it to 23.9 %"
  std::string average;   // "the best guess is correct with probability 69.1 %, 67.7 % without the release; 0.0363 bits"
  std::string outputs;   // the outputs that the other sentences refer to
};
/// For all coordinates that are not public, the one with the largest level first.
std::vector<EffectWords> effect_words(const SpecResult& spec);
/// The same about full records; empty if unknown.
std::string record_words(const SpecResult& spec);

}  // namespace oddsbound::reports
