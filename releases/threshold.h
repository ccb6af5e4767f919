// From where on people have a label, attributes of two values read as the digits of a number, the first one leading
// (partial-DP paper, Theorem 33, with other constants).
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "releases/heavy_hitters.h"
#include "releases/table.h"

namespace oddsbound::releases {

struct ThresholdRequest {
  Labeled people;                                    // inputs have two values each
  SmallRatio error{1, 2};                            // the share of people that may be on the wrong side, below 1
  SmallRatio label_scale{1, 1}, search_scale{1, 1};  // of noise
  SmallRatio rate{1, 1};                             // of the last choice
  HeavyHittersRequest hitters{};                     // its parameters, with counts; attributes are set by the step
};

/// How many comparisons find one of 0..d: the least whole number from log2(d + 1) on.
std::uint64_t comparisons_for(std::size_t attributes);

/// What is told are the digits of a number, and then 1 if no prefix was found (below), else 0.
///
/// First, how many people have the label, with noise: where nearly all or nearly none do, that is what is told. Else
/// how long a prefix of the digits is that many people share on both sides, by binary search with noise; such a prefix,
/// by heavy hitters; and one of its first, middle and last numbers, with P ~ exp(-rate * people on the wrong side).
/// Where heavy hitters find no such prefix, one of the first, middle and last of all numbers.
///
/// Costs the label 1 / label_scale. Each comparison is of a number that moves by 1 at most, if anything of what it
/// looks at changes: 1 / search_scale, and at most comparisons_for(d) on any path; heavy hitters cost what they cost
/// for the digits of the prefix found; and the last choice 2 rate, or rho rate^2 / 2. What is claimed is the most over
/// all paths of the search.
StepPtr threshold_step(ThresholdRequest request);

// How many people a step needs for what it promises. This follows from the step's settings alone, never from a table.

/// A promise is broken with at most this probability. The margins of numbers have the same one (Noise::margin).
inline constexpr double kMostBroken = 0.05;
/// No promise is looked for beyond so many people: 2^36.
inline constexpr std::uint64_t kMostPeople = std::uint64_t{1} << 36;

/// P(noise >= least), of discrete Laplace noise.
double laplace_tail(SmallRatio scale, std::int64_t least);

/// The probability, at most, that a combination fails one of its tests if so many of all people have it. It is the sum
/// over all tests: a part of the combination is had by as many people at least.
double missed_in_tests(const HeavyHittersRequest& request, std::int64_t count, std::uint64_t people);

/// The expected length of the last list, at most, of any number of people (partial-DP paper, Lemma 30, with its
/// induction carried out in numbers). Of the combinations that pass a test, those with a count above threshold - margin
/// are at most people / (threshold - margin + 1); each of the others passes with probability P(noise > margin).
double listed_on_average(const HeavyHittersRequest& request);

/// The least number, of people or from 1 on, for which broken is at most kMostBroken; none: there is none up to
/// kMostPeople. If it is for some number it has to be for all larger ones. Sums that are too close to kMostBroken for
/// the rounding of doubles count as above it.
std::optional<std::uint64_t> least_for(const std::function<double(std::uint64_t)>& broken);

/// "from 751 people on, in 95 of 100 runs ..."; with the number of people of a table, that they are too few where that
/// is so.
std::string words_of(const Promise& promise, std::optional<std::size_t> people);

}  // namespace oddsbound::releases
