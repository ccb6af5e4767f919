// Threshold learning: the number from which on people have a label, where attributes with two values are read as
// binary digits, the first one leading (partial-DP paper, Theorem 33, with other constants). Also the
// probabilities that promises of steps rest on.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "releases/heavy_hitters.h"
#include "releases/table.h"

namespace oddsbound::releases {

struct ThresholdRequest {
  Labeled people;                                    // inputs have two values each
  SmallRatio error{1, 2};                            // fraction of people that may be on the wrong side, < 1
  SmallRatio label_scale{1, 1}, search_scale{1, 1};  // of the noise
  SmallRatio rate{1, 1};                             // of the final choice
  HeavyHittersRequest hitters{};                     // parameters, with counts; the step sets the attributes
};

/// Returns the number of comparisons that find one of 0..d: ceil(log2(d + 1)).
std::uint64_t comparisons_for(std::size_t attributes);

/// Returns the step. Its output is the digits of a number, followed by 1 if no prefix was found (see below), else
/// 0.
///
/// First it counts the people with the label, with noise. If nearly none have it, the output is the last number;
/// if nearly all have it, the first. Otherwise it finds the length of a prefix of the digits that many people
/// share on both sides, by binary search with noise; such a prefix, by heavy hitters; and one of its first, middle
/// and last numbers, with P ~ exp(-rate * people on the wrong side). If heavy hitters find no such prefix, it uses
/// the first, middle and last of all numbers.
///
/// The label costs 1 / label_scale. Each comparison is of a number that changes by at most 1, if anything that it
/// reads changes: 1 / search_scale, with at most comparisons_for(d) on any path. Heavy hitters cost the same as
/// for the digits of the prefix found. The final choice costs 2 rate, or rho = rate^2 / 2. The stated loss is the
/// largest over all paths of the search.
StepPtr threshold_step(ThresholdRequest request);

// The number of people that a step's promise needs. It follows from the step's settings, never from a table.

/// The largest probability that a promise is broken. Margins of numbers use the same one (Noise::margin).
inline constexpr double kMostBroken = 0.05;
/// No promise is sought for more people than this.
inline constexpr std::uint64_t kMostPeople = std::uint64_t{1} << 36;

/// Returns P(noise >= least) for discrete Laplace noise.
double laplace_tail(SmallRatio scale, std::int64_t least);

/// Returns an upper bound on the probability that a combination fails one of its tests if `count` of all people
/// have it. It is the sum over all tests: at least as many people have each part of the combination.
double missed_in_tests(const HeavyHittersRequest& request, std::int64_t count, std::uint64_t people);

/// Returns an upper bound on the expected length of the last list, for any number of people (partial-DP paper,
/// Lemma 30, with its induction evaluated in numbers). Among the combinations that are tested, at most people /
/// (threshold - margin + 1) have a count above threshold - margin; each other one passes with probability P(noise
/// > margin).
double listed_on_average(const HeavyHittersRequest& request);

/// Returns the least number >= 1 (of people, or other) for which broken is at most kMostBroken; nullopt if there
/// is none up to kMostPeople. Requires that broken is then at most kMostBroken for all larger numbers too. Sums
/// too close to kMostBroken for the rounding of doubles count as above it.
std::optional<std::uint64_t> least_for(const std::function<double(std::uint64_t)>& broken);

/// Returns a text like "with 751 people or more, in at least 95 % of runs ...". With the number of people of a table,
/// it also says if these are too few.
std::string words_of(const Promise& promise, std::optional<std::size_t> people);

}  // namespace oddsbound::releases
