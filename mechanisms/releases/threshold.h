// From where on people have a label, attributes of two values read as the digits of a number, the first one leading
// (partial-DP paper, Theorem 33, with other constants).
#pragma once

#include "mechanisms/releases/heavy_hitters.h"
#include "mechanisms/releases/learning.h"

namespace oddsbound::mechanisms {

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

}  // namespace oddsbound::mechanisms
