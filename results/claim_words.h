// A claim's result in words, the same in every report.
#pragma once

#include <string>

#include "results/words.h"

namespace oddsbound::results {

/// A claim in three phrases; an undecided one has no `found`.
struct ClaimWords {
  std::string claim;    // "ldp <= log(3), tight"
  std::string verdict;  // "refuted, as expected"
  std::string found;    // "exactly log(5) = 1.60944"
};
ClaimWords claim_words(const ClaimResult& claim);
/// Which two numbers refute the claim, where `found` beside what was claimed does not show it: "a smaller level holds
/// for this pair: 1.09861 < 1.38629", "the claimed level is exceeded: 1.0000000003 > 1". Empty where it does, and where
/// numbers are rounded for others.
std::string difference_words(const ClaimResult& claim);
/// What was found, what refutes the claim, and which opinion is missing beside it.
std::string found_with_opinions(const ClaimResult& claim);

}  // namespace oddsbound::results
