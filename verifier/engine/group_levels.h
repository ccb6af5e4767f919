// Levels between groups of inputs under a prior: the values of a coordinate or the labels of a secret. The driver takes
// a model apart (decompose.h). Then it picks the strategy with the least estimated cost: a pass over the columns, a
// search over outputs by the rows that occur, or a network search.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/model/definition.h"
#include "verifier/model/model.h"

namespace oddsbound::engine {

/// Improves the levels of a model that is not a composition; `coordinates` are theirs.
using RefineLevels = std::function<void(MeasuredModel& subject, std::vector<GroupLevel>& levels)>;

/// Returns, for each of the coordinates, the level between its values, within `seconds` in all. If outputs are
/// searched and the time runs out, a level is unfinished. Throws LimitError past the budget.
/// direction: the values compared, with a single coordinate only; some value of each side must have mass.
std::vector<GroupLevel> levels_between_values(MeasuredModel& subject, const std::vector<std::size_t>& coordinates,
                                              double seconds, const AllowedPairs& direction = {},
                                              const RefineLevels& refine = {});

/// Returns proven bounds of the levels between the values of all coordinates, without outputs that attain them, if the
/// exact levels would be too long to write (network_search.h) and bounds are known; otherwise nullopt. Throws
/// Interrupted past the time and memory of the budget.
std::optional<std::vector<GroupLevel>> bounds_of_long_levels(MeasuredModel& subject);

/// Like levels_between_values(), between the labels of a partition.
GroupLevel level_between_labels(MeasuredModel& subject, const Partition& partition, double seconds,
                                const AllowedPairs& direction = {});

/// Announce the questions that these functions will ask of the columns, if any: the next pass answers them.
void expect_between_values(MeasuredModel& subject, const std::vector<std::size_t>& coordinates);
void expect_between_labels(MeasuredModel& subject, const Partition& partition);

/// Returns true if the level of each coordinate is a search of its own, so that fewer coordinates take less time.
bool searches_each_coordinate(MeasuredModel& subject);

/// Returns true if any labels with these masses are compared.
bool compares_any(const std::vector<Number>& masses, const AllowedPairs& direction);

/// Returns the part of the remaining time that searches may take; the rest is for writing the results.
double seconds_to_search(const Budget& budget);

}  // namespace oddsbound::engine
