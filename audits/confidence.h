// Rigorous confidence limits. Every number is rounded to the safe side, with error bounds or in Arb.
//
// Notation: n trials, c successes. Each trial succeeds with probability at most q given the past. Evidence is
// returned as a natural logarithm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "audits/outcomes.h"
#include "audits/question.h"
#include "base/budget.h"
#include "verifier/exact/level.h"
#include "verifier/exact/number_sum.h"

namespace oddsbound::audits {

/// The probability of missing a deviation of the size of the stated power.
constexpr double kMissed = 0.01;

/// Returns a lower bound of the log evidence against "the probability of success is at most q". The evidence is a
/// mixture of likelihood ratios over all probabilities above q (Jeffreys prior, truncated at q). It is a
/// supermartingale for every probability <= q, so it ever reaches 1/alpha with probability at most alpha (Ville's
/// inequality).
double log_evidence(std::uint64_t n, std::uint64_t c, double q);
/// Returns a limit that the probability exceeds at all times simultaneously, with confidence 1 - alpha.
double anytime_lower_limit(std::uint64_t n, std::uint64_t c, double alpha);

/// Returns an upper bound of P(n * KL(observed || stated) >= divergence) for draws from a distribution on `cells`
/// outcomes, valid for every n (Agrawal 2020, "Finite-sample concentration of the multinomial in relative entropy": E
/// exp(r n KL) <= (1 - r)^-(cells - 1) for 0 <= r < 1).
double divergence_tail(double divergence, std::size_t cells);
/// Returns a divergence that is reached with probability at most alpha.
double critical_divergence(double alpha, std::size_t cells);

/// An interval for the success probability of independent trials. Each end fails with probability at most alpha
/// (Chernoff bound in KL form). Fast, and slightly wider than Clopper-Pearson.
struct ConfidenceInterval {
  double low = 0;
  double high = 1;
};
ConfidenceInterval chernoff_interval(std::uint64_t n, std::uint64_t c, double alpha);

/// Returns e^level / (e^level + others), rounded up: the largest probability of a right guess among 1 + others
/// equally likely labels.
double share_of(const Level& level, std::size_t others);
double share_of(double level, std::size_t others);
/// Returns the level with share_of(level, others) = share, rounded down; 0 if there is none.
double level_of_share(double share, std::size_t others);

// Bounds from simultaneous intervals for every P(output given input). Needed for recorded data, where labels cannot
// be drawn afresh, and for upper bounds on levels, which require that there are no other outputs.

struct LevelBounds {
  double low = 0;
  double high = 0;  // infinite if some output may be impossible for one side
  // The pair and output that attain the lower bound.
  std::uint32_t from = 0, to = 0;
  std::uint64_t output = 0;
};

/// stages: as in check_agreement. All bounds of all questions hold together with probability 1 - alpha. Throws
/// LimitError if pairs x outputs exceeds 10^8.
std::vector<LevelBounds> bounds_from_intervals(std::span<const Question> questions, std::span<const Tally> stages,
                                               double alpha, Budget& budget);

}  // namespace oddsbound::audits
