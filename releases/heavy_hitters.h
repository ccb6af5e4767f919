// Heavy hitters: combinations of values that many people have (partial-DP paper, Algorithm 2 and Theorem 15, with
// other constants).
//
// Combinations are built from halves: those of two attributes from single values, those of four attributes from
// those of two, and so on. At each level, a combination enters the list if its noisy count passes a threshold that
// grows with the level. Only combinations of listed halves are tested, which keeps the lists short.
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
  std::optional<SmallRatio> count_scale{};       // of the noise of published counts; nullopt: no counts
  std::uint64_t margin = 1;                      // growth of the threshold per level, at least 1
  std::optional<std::uint64_t> threshold{};      // of the first level; nullopt: half of share * people
  SmallRatio share{1, 1};                        // fraction of people that makes a combination heavy
  std::uint64_t window = 0;                      // counts of n people are clamped to -window..n + window
  bool test_leaves = false;                      // also test single values before joining any
  bool lists = false;                            // publish all lists, not only the last one
  std::uint64_t limit = std::uint64_t{1} << 20;  // limit on the tested combinations of one interval
};

/// Returns the least scale of the noise, a multiple of 1/100, for which tests on this many levels, and counts with
/// the same scale, cost at most epsilon for a change of one attribute.
SmallRatio scale_for(const Level& epsilon, std::size_t levels, SmallRatio share);
/// Returns the number of levels of tests for this number of attributes.
std::size_t levels_of(std::size_t attributes, bool test_leaves);
/// Returns the threshold of the first level for a table with this many people: as given, or ceil(share * people /
/// 2).
std::uint64_t first_threshold(const HeavyHittersRequest& request, std::uint64_t people);
/// Returns the margin for a scale and a share: ceil(scale * log(16 / share)), at least 1.
std::uint64_t margin_for(SmallRatio scale, SmallRatio share);

/// Returns the step. Let N_l be the number of intervals of 2^l attributes with an attribute that changes (2^(l-1)
/// attributes if single values are tested), a = exp(-1/scale) and h(m) = log((1 + a - a^m) / (1 + a - a^(m-1))).
/// The loss is
///   (N_1 + N_2) / scale + sum over i >= 1 of N_(i+2) h(1 + i margin) + C,
/// with C = 1 / count_scale + max(N_1 / scale, 1 / count_scale), or without counts C = N_1 / scale.
///
/// A person's old combination may leave lists, which costs the first two terms: along a chain of intervals counts
/// do not grow and thresholds do, so all but two tests of the chain have counts far above their thresholds. The
/// new combination may fail to enter, and then no larger combination with it is tested. If it enters everywhere,
/// two published counts change, else one.
StepPtr heavy_hitters_step(HeavyHittersRequest request);

struct Listed {
  InputRow values;  // of the request's attributes, in order
  std::optional<std::int64_t> count;
};
/// Returns the last list of a run of the step, ordered by values.
std::vector<Listed> listed_in(const HeavyHittersRequest& request, std::span<const std::int64_t> told);

// Point learning: the one combination of values that the people with a label have (partial-DP paper, Theorem 31).

struct PointRequest {
  Labeled people;
  HeavyHittersRequest hitters;  // over inputs and label, with counts, which are compared with its share
};

/// Returns the step, which publishes the least combination that is listed with the label with a count above the
/// share. If there is none: the least combination that is not so listed without the label. Costs the same as heavy
/// hitters, since it only post-processes their output.
StepPtr point_step(PointRequest request);

}  // namespace oddsbound::releases
