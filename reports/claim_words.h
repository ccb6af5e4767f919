// Text of a claim's result, the same in every report.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/words.h"
#include "verifier/exact/level.h"

namespace oddsbound::reports {

/// A claim in phrases. An undecided claim has no `found`.
struct ClaimWords {
  std::string claim;    // "ldp <= log(3), tight"
  std::string verdict;  // "refuted, as expected"
  std::string found;    // "exactly log(5) = 1.60944"
  /// The two numbers that refute the claim, if `found` next to the claim does not show them: "a smaller level holds
  /// for this pair: 1.09861 < 1.38629", "the claimed level is exceeded: 1.0000000003 > 1". Empty otherwise, and if
  /// numbers are rounded for publication.
  std::string difference{};
  std::string opinion{};  // "no second opinion: ..."

  /// "holds: exactly log(3) = 1.09861"
  std::string outcome() const { return found.empty() ? verdict : verdict + ": " + found; }
  /// Everything that was found, as one sentence.
  std::string finding() const { return sentence({found, difference, opinion}); }
};
ClaimWords claim_words(const ClaimResult& claim);
/// ClaimWords::claim with all numbers in their exact form, however the spec writes them: fingerprints rest on it.
std::string claim_identity(const ClaimResult& claim);

// The two numbers that a verdict compares, with enough digits to see which is larger

struct DistinctDecimals {
  std::string a, b;  // decimals, each rounded to nearest
};

/// Returns decimals of a and b with the fewest digits (at least six) in which they differ: "0.9999997" and "1".
/// nullopt if the numbers are equal, one is negative or infinite, or they agree in the first 60 digits.
std::optional<DistinctDecimals> distinct_decimals(const Number& a, const Number& b);
/// The same for levels, in nats.
std::optional<DistinctDecimals> distinct_decimals(const Level& a, const Level& b);

/// The decimal that is equal to a quotient, if it is shorter: "1.0986" for "5493/5000". Other texts are unchanged.
std::string shorter_text(const std::string& exact);

/// For numbers that differ: "0.9999997 < 1", or "they differ after the first 60 digits".
std::string comparison_text(const Number& a, const Number& b);
std::string comparison_text(const Level& a, const Level& b);
std::string comparison_text(const Level& a, const ScaledLevel& b);

/// Returns the levels in nats, rounded to nearest, each with the fewest digits (at least `digits`) in which it differs
/// from all levels that are not equal to it.
std::vector<std::string> distinct_nats(const std::vector<Level>& levels, int digits = 6);
/// The same for e^level, rounded up, with at least three digits.
std::vector<std::string> distinct_odds_factors(const std::vector<Level>& levels);
/// The same for e^level / (1 + e^level), what a probability of 50 % becomes at most if odds change by e^level: "96.5
/// %". Below 100 % unless the level is infinite.
std::vector<std::string> distinct_half_becomes(const std::vector<Level>& levels);
/// e^level, or an upper bound on it if the level has a root. The level must be finite.
Number odds_factor(const Level& level);

/// Both as in number_text, with more digits if the texts would be equal: "about 0.4999999" and "about 0.5".
std::pair<std::string, std::string> texts_apart(const Number& a, const Number& b);

}  // namespace oddsbound::reports
