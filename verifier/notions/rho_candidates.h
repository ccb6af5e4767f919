// The candidates for the largest rho of zCDP and of delta-approximate zCDP (zcdp.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "verifier/engine/measured_model.h"
#include "verifier/measures/cumulant.h"
#include "verifier/notions/divergences.h"

namespace oddsbound::notions {

/// Pairs of inputs, or sets of pairs that are searched together.
class RhoCandidates {
 public:
  virtual ~RhoCandidates() = default;
  virtual std::size_t size() const = 0;
  /// Bounds of the largest rho of the candidate's pairs.
  virtual RhoBounds bounds(std::size_t k, const RhoGoal& goal, std::uint64_t& terms, Budget& budget) const = 0;
  /// The pair whose rho is at least RhoBounds::at_least at the order 1 + beyond.
  virtual std::pair<InputRow, InputRow> neighbors(std::size_t k, double beyond) const = 0;
  /// An output that is possible given one input and impossible given its neighbor.
  virtual std::optional<Witness> infinite() const = 0;
  /// Why bounds of some candidate stay apart; empty if they do not.
  virtual std::string reason() const { return ""; }
};

/// Returns the candidates between inputs that differ only within one of the groups.
std::shared_ptr<const RhoCandidates> rho_candidates(MeasuredModel& subject, const CoordinateGroups& groups);
/// Returns the same for delta-approximate zCDP, for the best events.
std::shared_ptr<const RhoCandidates> approximate_rho_candidates(MeasuredModel& subject, const CoordinateGroups& groups,
                                                                const Number& delta);

}  // namespace oddsbound::notions
