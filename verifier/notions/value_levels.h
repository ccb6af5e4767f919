// Levels between groups of rows, the values of a coordinate or the labels of a secret, by the way that is estimated to
// cost least: a pass over the columns, a search over outputs by the rows that occur, or along a network.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "verifier/model/definition.h"
#include "verifier/model/model.h"
#include "verifier/engine/projected_rows.h"
#include "verifier/engine/measured_model.h"

namespace oddsbound::notions {

/// The output that shows a level between two values, and how likely it is.
struct FoundOutput {
  std::vector<std::uint64_t> output;  // split as Channel::split does
  Number p_from;                      // P(output given value `from`), under the prior
  Number p_to;
};

/// A level between two values of a coordinate (or two labels of a secret).
struct ValueLevel {
  Level level;
  Lazy<FoundOutput> found;
  std::size_t from = 0;
  std::size_t to = 0;
  Way way = Way::kDirect;
  std::optional<std::uint64_t> nodes{};    // of a search over outputs
  std::optional<Level> transport_bound{};  // that the search began with (engine/transport_bound.h)
  std::optional<Unfinished> unfinished{};  // the level is what the output shows, and lies below that
  bool shown = true;                       // false: no output was looked at, and the level is 0 and unfinished

  template <typename Change>
  void change_output(Change change) {
    found.update([change = std::move(change)](FoundOutput& own) { change(own.output); });
  }
};

/// Makes a level the larger of two; what is known of one that is unfinished covers both.
void take_larger(ValueLevel& largest, ValueLevel other);

/// Whether a pass over the columns is the first choice: then who expects a level may announce it.
bool prefers_columns(MeasuredModel& subject);

/// For each of the coordinates, the level between its values, within so many seconds in all. Where outputs are searched
/// and the time is over, what is known by then. Throws LimitError past the budget.
/// direction: between which values, of the only coordinate; some value of each side has mass.
std::vector<ValueLevel> levels_between_values(MeasuredModel& subject, const std::vector<std::size_t>& coordinates,
                                              double seconds, const AllowedPairs& direction = {});

/// The same between the labels of a secret, also of adaptive compositions.
ValueLevel level_between_labels(MeasuredModel& subject, const Secret& secret, double seconds,
                                const AllowedPairs& direction = {});

/// The label of an input, by its row; neither the domain nor the secret has to stay.
std::function<std::uint32_t(InputView row)> labels_by_row(const Domain& domain, const Secret& secret);
/// The label of every input. Throws LimitError if there are too many.
std::vector<std::uint32_t> labels_of_inputs(const Domain& domain, const Secret& secret);

/// The level as it is told, between two labels; coordinate: whose values these are, or empty.
MeasuredLevel measured_between(const MeasuredModel& subject, const ValueLevel& level, Label from, Label to,
                               std::string coordinate);

/// Whether labels of these masses are compared at all.
bool compares_any(const std::vector<Number>& masses, const AllowedPairs& direction);

/// Of the time that is left, what searches may take: what is found must be written.
double seconds_to_search(const Budget& budget);

}  // namespace oddsbound::notions
