// How many people a step needs for what it promises. This follows from the step's settings alone, never from a table.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "mechanisms/releases/heavy_hitters.h"

namespace oddsbound::mechanisms {

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

}  // namespace oddsbound::mechanisms
