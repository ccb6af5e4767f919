// Combinations of values that many people have (partial-DP paper, Algorithm 2 and Theorem 15, with other constants).
//
// Combinations are built of halves: those of two attributes of single values, those of four of those of two, and so on.
// At each level what enters the list are those whose count, with noise, passes a threshold that grows with the level.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "releases/step.h"
#include "releases/table.h"

namespace oddsbound::releases {

struct HeavyHittersRequest {
  Domain schema;
  Attributes attributes{};
  SmallRatio scale{1, 1};                        // of the noise of tests
  std::optional<SmallRatio> count_scale{};       // of that of the counts that are told; none: no counts are told
  std::uint64_t margin = 1;                      // by how much thresholds grow from level to level; at least 1
  std::optional<std::uint64_t> threshold{};      // of the first level; none: half of the share of all people
  SmallRatio share{1, 1};                        // what is looked for are combinations that so many have
  std::uint64_t window = 0;                      // counts of n people are moved into -window..n + window
  bool test_leaves = false;                      // single values are tested as well, before any are joined
  bool lists = false;                            // all lists are told, not only the last one
  std::uint64_t limit = std::uint64_t{1} << 20;  // combinations that are tested of one interval
};

/// How large the noise of a test may be for all to cost at most epsilon for a single attribute, with counts of the same
/// scale: the least multiple of 1/100. So many levels of tests.
SmallRatio scale_for(const Level& epsilon, std::size_t levels, SmallRatio share);
/// How many levels of tests there are for so many attributes.
std::size_t levels_of(std::size_t attributes, bool test_leaves);
/// The threshold of the first level, in a table of so many people: as given, or the least whole number from share *
/// people / 2 on.
std::uint64_t first_threshold(const HeavyHittersRequest& request, std::uint64_t people);
/// The margin that goes with it: the least whole number from scale * log(16 / share) on.
std::uint64_t margin_for(SmallRatio scale, SmallRatio share);

/// With N_l the intervals of 2^l attributes that have some that change (of 2^(l-1) where single values are tested), a =
/// exp(-1/scale) and h(m) = log((1 + a - a^m) / (1 + a - a^(m-1))), the loss is (N_1 + N_2) / scale, the sum over i >=
/// 1 of N_(i+2) h(1 + i margin), and 1 / count_scale + max(N_1 / scale, 1 / count_scale), without counts N_1 / scale.
///
/// Somebody's old combination may leave lists, which costs as the first two terms say: going up a chain of intervals
/// counts do not grow and thresholds do, so that all but two of the tests of the chain have counts far above them. The
/// new one may fail to enter: after that no larger combination with it is tested. Where it enters everywhere, two
/// counts that are told change, else one.
StepPtr heavy_hitters_step(HeavyHittersRequest request);

struct Listed {
  InputRow values;  // of the attributes of the request, in its order
  std::optional<std::int64_t> count;
};
/// What a run of the step told: the last list, in the order of its values.
std::vector<Listed> listed_in(const HeavyHittersRequest& request, std::span<const std::int64_t> told);

// The one combination of values that those with a label have (partial-DP paper, Theorem 31).

struct PointRequest {
  Labeled people;
  HeavyHittersRequest hitters;  // over inputs and label, with counts; what counts are compared with is its share
};

/// Tells the least combination that is listed with the label and has a count above the share; where there is none, the
/// least one that is not so without the label. Costs what heavy hitters cost: it is read off what they tell.
StepPtr point_step(PointRequest request);

}  // namespace oddsbound::releases
