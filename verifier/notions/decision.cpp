#include "verifier/notions/decision.h"

namespace oddsbound::notions {

Decision decide_level(const MeasuredLevel& actual, const Level& claimed) {
  Decision decision;
  decision.holds = actual.level <= claimed;
  decision.actual = actual;
  decision.tight = actual.level == claimed;
  decision.by_cases = actual.by_cases;
  if (!decision.holds) decision.witness = actual.witness;
  return decision;
}

Decision decide_coordinates(const Domain& domain, const std::vector<MeasuredLevel>& actual,
                            const CoordinateLevels& claimed) {
  Decision decision;
  decision.holds = true;
  decision.tight = true;
  std::vector<CoordinateLevel> levels;
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    if (!claimed[i]) continue;
    levels.push_back({domain.coordinate(i).name, actual[i]});
    decision.by_cases |= actual[i].by_cases;
    if (actual[i].level != *claimed[i]) decision.tight = false;
    if (actual[i].level <= *claimed[i]) continue;
    if (decision.holds) decision.witness = actual[i].witness;
    decision.holds = false;
  }
  decision.actual = std::move(levels);
  return decision;
}

std::optional<Standing> standing_of(const Claimed& claimed, const Actual& actual) {
  if (const auto* measured = std::get_if<MeasuredLevel>(&actual); measured != nullptr) {
    const Level* level = claimed.form == ClaimForm::kLevel ? claimed.level_of("") : nullptr;
    if (level == nullptr) return std::nullopt;
    return Standing{measured->level <= *level, measured->level == *level};
  }
  if (const auto* delta = std::get_if<Delta>(&actual)) {
    const Number* most = claimed.form == ClaimForm::kLevelAndDelta && claimed.values.size() == 2
                             ? claimed.values[1].second.number()
                             : nullptr;
    if (most == nullptr) return std::nullopt;
    return Standing{delta->delta <= *most, delta->delta == *most};
  }
  if (const auto* refinement = std::get_if<Refinement>(&actual)) return Standing{refinement->holds, true};
  const auto* levels = std::get_if<std::vector<CoordinateLevel>>(&actual);
  if (levels == nullptr || claimed.form != ClaimForm::kByCoordinate) return std::nullopt;
  Standing standing{true, true};
  for (const CoordinateLevel& own : *levels) {
    const Level* level = claimed.level_of(own.coordinate);
    if (level == nullptr) return std::nullopt;
    standing.holds = standing.holds && own.measured.level <= *level;
    standing.tight = standing.tight && own.measured.level == *level;
  }
  return standing;
}

std::optional<Witness> witness_of(const Actual& actual) {
  if (const auto* measured = std::get_if<MeasuredLevel>(&actual)) return measured->witness;
  if (const auto* delta = std::get_if<Delta>(&actual)) return delta->witness;
  if (const auto* levels = std::get_if<std::vector<CoordinateLevel>>(&actual); levels != nullptr && !levels->empty()) {
    return levels->front().measured.witness;
  }
  return std::nullopt;
}

}  // namespace oddsbound::notions
