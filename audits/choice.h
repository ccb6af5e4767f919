// Chooses the inputs of an audit if the domain has too many to try all: likely inputs under the prior, inputs that
// attain the levels of the stated channel, random ones, and their neighbors (which differ in one coordinate).
//
// Only comparisons between inputs need a choice. If values or labels are compared, inputs are drawn from the prior
// given each value or label, so every input takes part in its proportion.
#pragma once

#include <memory>
#include <vector>

#include "audits/outcomes.h"
#include "mechanisms/sampler.h"
#include "specs/spec.h"
#include "verifier/model/domain.h"

namespace oddsbound::audits {

/// Chosen inputs, known by their indices, and a sampler of the prior if its rows are too many to list.
struct InputChoice {
  Domain domain;
  std::vector<InputRow> rows;      // the tried ones, then other rows of the prior
  std::vector<ChosenFor> reasons;  // of the tried ones
  std::vector<Number> weights;     // of all rows under the prior; empty without a prior
  /// nullptr if `rows` contains all rows of the prior.
  std::shared_ptr<const PriorSampler> drawn{};

  std::size_t tried() const { return reasons.size(); }
  /// The input in the form that runners take.
  InputRef input(InputView row) const {
    if (domain.is_countable()) return {domain.number(row), {}};
    return {0, row};
  }
};
using InputChoicePtr = std::shared_ptr<const InputChoice>;

/// Domains with more inputs are tried on a choice of them.
constexpr std::uint64_t kMostInputs = 2048;
bool all_are_tried(const Domain& domain);

/// Returns nullptr if all inputs are tried. Deterministic for a seed, unless the time limit (a tenth of the total)
/// ends the search for inputs that attain levels.
InputChoicePtr choose_inputs(const Spec& spec, const AuditOptions& options, Budget& budget);

}  // namespace oddsbound::audits
