// Levels between groups of rows: the values of a coordinate or the labels of a secret. Picks the strategy with the
// least estimated cost: a pass over the columns, a search over outputs by the rows that occur, or a network
// search.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "verifier/engine/measured_model.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/model/definition.h"
#include "verifier/model/model.h"

namespace oddsbound::notions {

/// Whether a pass over the columns is the first choice. If so, the question may be announced.
bool prefers_columns(MeasuredModel& subject);

/// Returns, for each of the coordinates, the level between its values, within `seconds` in all. If outputs are
/// searched and the time runs out, a level is unfinished. Throws LimitError past the budget.
/// direction: the values compared, with a single coordinate only; some value of each side must have mass.
std::vector<FoundLevel> levels_between_values(MeasuredModel& subject, const std::vector<std::size_t>& coordinates,
                                              double seconds, const AllowedPairs& direction = {});

/// The same between the labels of a partition. Also handles adaptive compositions.
FoundLevel level_between_labels(MeasuredModel& subject, const Partition& partition, double seconds,
                                const AllowedPairs& direction = {});

/// Returns the level as reported, between two labels. coordinate: the one whose values they are, or empty.
MeasuredLevel measured_between(const MeasuredModel& subject, const FoundLevel& level, Label from, Label to,
                               std::string coordinate);

/// Whether any labels with these masses are compared.
bool compares_any(const std::vector<Number>& masses, const AllowedPairs& direction);

/// Returns the part of the remaining time that searches may take; the rest is for writing the results.
double seconds_to_search(const Budget& budget);

}  // namespace oddsbound::notions
