// Confidence limits that are what they say: every number here is rounded to the safe side, with error bounds or in Arb.
//
// n is a number of trials, c how many of them succeeded; trials succeed with a probability of at most q whatever
// happened before. Probabilities are natural numbers, logarithms natural.
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

/// The probability with which what has the stated power may be missed.
constexpr double kMissed = 0.01;

/// At most the logarithm of the evidence against "the probability of success is at most q": a mixture of likelihood
/// ratios over all probabilities above q (Jeffreys' prior, cut off there), a supermartingale under every probability of
/// at most q, so that it passes 1/alpha at any time with probability at most alpha (Ville's inequality).
double log_evidence(std::uint64_t n, std::uint64_t c, double q);
/// The probability is above this at every time at once, with confidence 1 - alpha.
double anytime_lower_limit(std::uint64_t n, std::uint64_t c, double alpha);

/// At least the probability that n * KL(observed || stated) reaches `divergence` for draws from a distribution on
/// `cells` outcomes, for every n (Agrawal 2020, "Finite-sample concentration of the multinomial in relative entropy":
/// E exp(r n KL) <= (1 - r)^-(cells - 1) for 0 <= r < 1).
double divergence_tail(double divergence, std::size_t cells);
/// The divergence that is reached with probability at most alpha.
double critical_divergence(double alpha, std::size_t cells);

/// An interval around the probability of success of independent trials: each end fails with probability at most alpha
/// (Chernoff's bound, KL form). Quick, and a little wider than Clopper and Pearson's.
struct Interval {
  double low = 0;
  double high = 1;
};
Interval chernoff_interval(std::uint64_t n, std::uint64_t c, double alpha);

/// e^level / (e^level + others), never too low: the greatest probability of guessing right among 1 + others equally
/// likely labels.
double share_of(const Level& level, std::size_t others);
double share_of(double level, std::size_t others);
/// The level at which that share is `share`, never too high; 0 if there is none.
double level_of_share(double share, std::size_t others);

// Bounds from intervals around every P(output given input) at once: for data that were recorded, where labels cannot be
// drawn afresh, and upper bounds on levels, for which it must be known that there are no other outputs.

struct LevelBounds {
  double low = 0;
  double high = 0;  // infinite if some output may be impossible for one side
  // What the lower bound rests on.
  std::uint32_t from = 0, to = 0;
  std::uint64_t output = 0;
};

/// stages: as in check_agreement. All bounds of all questions hold together with probability 1 - alpha. Throws
/// LimitError if pairs x outputs are too many.
std::vector<LevelBounds> bounds_from_intervals(std::span<const Question> questions, std::span<const Tally> stages,
                                               double alpha, Budget& budget);

}  // namespace oddsbound::audits
