// What a release does to odds, in sentences for people who have not read a paper.
#pragma once

#include <string>
#include <vector>

#include "reports/spec_result.h"

namespace oddsbound::reports {

/// "2.3 %"; "more than 99.9 %", "less than 0.01 %" of what is neither all nor nothing.
std::string percent(const Number& share);

/// "0.0363 bits".
std::string bits_words(double nats);
/// What is true of a claim about what happens on average.
std::string average_words(const Average& average);

/// About one attribute; what is not known is empty.
struct EffectWords {
  std::string coordinate;
  std::string worst;     // "for 2.3 % of people the release raises the probability of yes from 32.3 % to 54.7 %"
  std::string frequent;  // "the most frequent output, for 15.2 %, lowers it to 23.9 %"
  std::string average;   // "the best guess is right for 69.1 %, without the release for 67.7 %; 0.0363 bits"
  std::string outputs;   // which outputs these are
};
/// Of all coordinates that are no public ones.
std::vector<EffectWords> effect_words(const SpecResult& spec);
/// The same about whole persons; empty if it is not known.
std::string record_words(const SpecResult& spec);

}  // namespace oddsbound::reports
