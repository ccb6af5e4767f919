// The level between labels over a set of priors: the largest under any of its members.
#pragma once

#include "verifier/model/arguments.h"
#include "verifier/model/witness.h"
#include "verifier/ratios/direction.h"
#include "verifier/ratios/measured_model.h"
#include "verifier/sets/prior_set.h"

namespace oddsbound::sets {

/// The inputs by the value of a coordinate, or by the label of a secret given per input.
LabelledInputs by_value(const Domain& domain, std::size_t coordinate);
LabelledInputs by_label(const std::vector<std::uint32_t>& label_of, std::size_t labels);

/// A level over a set: what shows it is an output, two labels, and a member under which their probabilities are these.
struct SetLevel {
  Ratio ratio{Surd(Number(1))};  // the level is its logarithm
  /// Split as Channel::split does; none: no member gives mass to two labels that are compared, or none was found.
  std::optional<std::vector<std::uint64_t>> output;
  std::size_t from = 0, to = 0;
  Number p_from, p_to;
  Member member;
  bool exact = true;                       // else the level is only proven not to be exceeded (SetSearch::is_exact)
  std::optional<Unfinished> unfinished{};  // a search was stopped: the level is what was found, and lies below that
  std::optional<std::uint64_t> nodes{};    // that a search opened

  Level level() const { return ratio.infinite ? Level::infinite() : Level::of_surd(ratio.value); }
};

/// The largest, over all members and outputs, of log(P(output given from) / P(output given to)).
///
/// Single outputs and labels suffice: under every member probabilities of events are mixtures of theirs.
/// at_once: as many levels are asked for together, of other coordinates.
/// Throws LimitError if there are too many inputs or outputs to go through, or past the budget.
SetLevel level_over(MeasuredModel& subject, const PriorSet& set, const LabelledInputs& inputs,
                    const Direction& direction, std::size_t at_once = 1);

}  // namespace oddsbound::sets
