#include "verifier/notions/decision.h"

namespace oddsbound::notions {

const MeasuredLevel* single_level(const Actual& actual) {
  const auto* average = std::get_if<Average>(&actual);
  return average != nullptr ? &average->level : std::get_if<MeasuredLevel>(&actual);
}

Standing standing_of(const MeasuredLevel& actual, const Level& claimed) {
  const Level& upper = actual.at_most();
  Standing standing;
  standing.holds = upper <= claimed ? Answer::kYes : actual.at_least > claimed ? Answer::kNo : Answer::kOpen;
  const bool possible = actual.at_least <= claimed && claimed <= upper;
  standing.tight = !possible ? Answer::kNo : actual.unfinished ? Answer::kOpen : Answer::kYes;
  return standing;
}

Decision decide_level(const MeasuredLevel& actual, const Level& claimed) {
  const Standing standing = standing_of(actual, claimed);
  Decision decision;
  decision.holds = standing.holds;
  decision.actual = actual;
  decision.tight = standing.tight;
  decision.ways = {actual.way};
  if (decision.holds == Answer::kNo) decision.witness = actual.witness.get();
  return decision;
}

Decision decide_coordinates(const Domain& domain, const std::vector<MeasuredLevel>& actual,
                            const CoordinateLevels& claimed) {
  Decision decision;
  decision.holds = Answer::kYes;
  decision.tight = Answer::kYes;
  std::vector<CoordinateLevel> levels;
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    if (!claimed[i]) continue;
    levels.push_back({domain.coordinate(i).name, actual[i]});
    decision.ways.insert(actual[i].way);
    const Standing standing = standing_of(actual[i], *claimed[i]);
    decision.holds = both(decision.holds, standing.holds);
    decision.tight = both(decision.tight, standing.tight);
    if (standing.holds == Answer::kNo && !decision.witness) decision.witness = actual[i].witness.get();
    if (standing.tight == Answer::kNo && !decision.slack) decision.slack = Slack{actual[i], *claimed[i]};
  }
  if (decision.holds != Answer::kYes) decision.slack.reset();
  decision.actual = std::move(levels);
  return decision;
}

std::optional<Standing> standing_of(const Claimed& claimed, const Actual& actual) {
  if (const auto* measured = single_level(actual)) {
    const Level* level = claimed.form == ClaimForm::kLevel ? claimed.level_of("") : nullptr;
    if (level == nullptr) return std::nullopt;
    return standing_of(*measured, *level);
  }
  if (const auto* delta = std::get_if<Delta>(&actual)) {
    const Number* most = claimed.form == ClaimForm::kLevelAndDelta && claimed.values.size() == 2
                             ? claimed.values[1].second.number()
                             : nullptr;
    if (most == nullptr) return std::nullopt;
    return Standing{answer_of(delta->delta <= *most), answer_of(delta->delta == *most)};
  }
  if (const auto* refinement = std::get_if<Refinement>(&actual)) {
    return Standing{answer_of(refinement->holds), Answer::kYes};
  }
  const auto* levels = std::get_if<std::vector<CoordinateLevel>>(&actual);
  if (levels == nullptr || claimed.form != ClaimForm::kByCoordinate) return std::nullopt;
  Standing standing{Answer::kYes, Answer::kYes};
  for (const CoordinateLevel& own : *levels) {
    const Level* level = claimed.level_of(own.coordinate);
    if (level == nullptr) return std::nullopt;
    const Standing of_this = standing_of(own.measured, *level);
    standing.holds = both(standing.holds, of_this.holds);
    standing.tight = both(standing.tight, of_this.tight);
  }
  return standing;
}

std::optional<Witness> witness_of(const Actual& actual) {
  const auto shown = [](const MeasuredLevel& level) {
    return level.shows_something() ? std::optional(level.witness.get()) : std::nullopt;
  };
  if (const auto* measured = single_level(actual)) return shown(*measured);
  if (const auto* delta = std::get_if<Delta>(&actual)) return delta->witness;
  if (const auto* levels = std::get_if<std::vector<CoordinateLevel>>(&actual); levels != nullptr && !levels->empty()) {
    return shown(levels->front().measured);
  }
  return std::nullopt;
}

std::string open_reason(const Actual& actual) {
  const auto reason = [](const MeasuredLevel& level) { return level.unfinished ? level.unfinished->reason : ""; };
  if (const auto* measured = single_level(actual)) return reason(*measured);
  if (const auto* levels = std::get_if<std::vector<CoordinateLevel>>(&actual)) {
    for (const CoordinateLevel& level : *levels) {
      if (level.measured.unfinished) return level.measured.unfinished->reason;
    }
  }
  return "";
}

}  // namespace oddsbound::notions
