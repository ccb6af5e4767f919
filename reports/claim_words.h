// A claim's result in words, the same in every report.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "reports/words.h"
#include "verifier/exact/level.h"

namespace oddsbound::reports {

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

// Two numbers that a verdict compares, with as many digits as show which one is larger.

struct ToldApart {
  std::string a, b;  // decimals, each rounded to the nearest
};

/// The fewest digits, at least six, with which the decimals of a and b differ: "0.9999997" and "1". None if the numbers
/// are equal, if one of them is negative or infinite, or if they agree in the first 60 digits.
std::optional<ToldApart> told_apart(const Number& a, const Number& b);
/// The same of levels, in nats.
std::optional<ToldApart> told_apart(const Level& a, const Level& b);

/// "0.9999997 < 1", of numbers that differ; where no digits show it: "they differ after the first 60 digits".
std::string comparison_text(const Number& a, const Number& b);
std::string comparison_text(const Level& a, const Level& b);

/// Both as in number_text, with more digits where these would be the same: "about 0.4999999" and "about 0.5".
std::pair<std::string, std::string> texts_apart(const Number& a, const Number& b);

}  // namespace oddsbound::reports
