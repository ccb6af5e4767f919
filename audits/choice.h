// Which inputs an audit tries where a domain has too many to try all: likely ones under the prior, those that show the
// levels of the stated channel, random ones, and neighbors of these, which differ from them in one coordinate.
//
// Only comparisons between inputs need a choice. Where values or labels are compared, inputs are drawn from the prior
// given each: then every input has its part, in its proportion.
#pragma once

#include <memory>
#include <vector>

#include "audits/outcomes.h"
#include "mechanisms/sampler.h"
#include "specs/spec.h"
#include "verifier/model/domain.h"

namespace oddsbound::audits {

/// Inputs that are known by their places, and the prior where its rows are too many to have such.
struct InputChoice {
  Domain domain;
  std::vector<InputRow> rows;      // those that are tried, then others that the prior holds possible
  std::vector<ChosenFor> reasons;  // of those that are tried
  std::vector<Number> weights;     // of all rows under the prior; empty without one
  /// Null if the rows are all that the prior holds possible.
  std::shared_ptr<const PriorSampler> drawn{};

  std::size_t tried() const { return reasons.size(); }
  /// As runners take it.
  InputRef input(InputView row) const {
    if (domain.is_countable()) return {domain.number(row), {}};
    return {0, row};
  }
};
using InputChoicePtr = std::shared_ptr<const InputChoice>;

/// Where inputs are more than this, some are chosen.
constexpr std::uint64_t kMostInputs = 2048;
bool all_are_tried(const Domain& domain);

/// Null where all inputs are tried. The same for the same seed, unless a limit of time ends the search for those that
/// show levels (a tenth of the time is for that).
InputChoicePtr choose_inputs(const Spec& spec, const AuditOptions& options, Budget& budget);

}  // namespace oddsbound::audits
