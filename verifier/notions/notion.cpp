#include "verifier/notions/notion.h"

#include <algorithm>
#include <cassert>

#include "verifier/model/pair_levels.h"
#include "verifier/notions/table.h"

namespace oddsbound::notions {

std::vector<const Notion*> measured_notions(bool by_coordinate) {
  std::vector<const Notion*> found;
  for (const Notion& notion : notion_table()) {
    if (notion.measure && (notion.form == ClaimForm::kByCoordinate) == by_coordinate) found.push_back(&notion);
  }
  return found;
}

const Notion* find_notion(std::string_view name) {
  for (const Notion& notion : notion_table()) {
    if (notion.name == name) return &notion;
  }
  return nullptr;
}

const MeasuredLevel* single_level(const Actual& actual) {
  const auto* average = std::get_if<Average>(&actual);
  return average != nullptr ? &average->level : std::get_if<MeasuredLevel>(&actual);
}

ClaimOutcome standing_of(const MeasuredLevel& actual, const Level& claimed) {
  const Level& upper = actual.at_most();
  ClaimOutcome standing;
  standing.holds = upper <= claimed ? Answer::kYes : actual.at_least > claimed ? Answer::kNo : Answer::kOpen;
  const bool possible = actual.at_least <= claimed && claimed <= upper;
  standing.tight = !possible ? Answer::kNo : actual.unfinished ? Answer::kOpen : Answer::kYes;
  return standing;
}

ClaimOutcome standing_of(const MeasuredLevel& actual, const ScaledLevel& claimed) {
  if (const Level* level = claimed.level()) return standing_of(actual, *level);
  const auto lower = compare(actual.at_least, claimed), upper = compare(actual.at_most(), claimed);
  ClaimOutcome standing{Answer::kOpen, Answer::kOpen};
  if (upper && *upper <= 0) standing.holds = Answer::kYes;
  if (lower && *lower > 0) standing.holds = Answer::kNo;
  const bool excluded = (upper && *upper < 0) || (lower && *lower > 0);
  if (excluded) standing.tight = Answer::kNo;
  if (!excluded && !actual.unfinished && lower && *lower == 0) standing.tight = Answer::kYes;
  return standing;
}

ClaimOutcome standing_of(const MeasuredNumber& actual, const Number& claimed) {
  ClaimOutcome standing;
  standing.holds = actual.at_most() <= claimed ? Answer::kYes : actual.at_least > claimed ? Answer::kNo : Answer::kOpen;
  const bool possible = actual.at_least <= claimed && claimed <= actual.at_most();
  standing.tight = !possible ? Answer::kNo : actual.unfinished ? Answer::kOpen : Answer::kYes;
  return standing;
}

Decision decide_level(const MeasuredLevel& actual, const Level& claimed) {
  const ClaimOutcome standing = standing_of(actual, claimed);
  Decision decision;
  decision.holds = standing.holds;
  decision.actual = actual;
  decision.tight = standing.tight;
  decision.ways = {actual.way};
  if (decision.holds == Answer::kNo) decision.witness = actual.witness.get();
  return decision;
}

Decision decide_number(MeasuredNumber actual, const Number& claimed) {
  const ClaimOutcome standing = standing_of(actual, claimed);
  Decision decision;
  decision.holds = standing.holds;
  decision.tight = standing.tight;
  if (decision.holds == Answer::kNo && actual.witness.shows_something()) decision.witness = actual.witness;
  decision.actual = std::move(actual);
  return decision;
}

Decision decide_coordinates(const Domain& domain, const std::vector<MeasuredLevel>& actual,
                            const CoordinateLevels& claimed) {
  Decision decision;
  decision.holds = Answer::kYes;
  decision.tight = Answer::kYes;
  NamedLevels levels;
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    if (!claimed[i]) continue;
    levels.emplace_back(domain.coordinate(i).name, actual[i]);
    decision.ways.insert(actual[i].way);
    const ClaimOutcome standing = standing_of(actual[i], *claimed[i]);
    decision.holds = both(decision.holds, standing.holds);
    decision.tight = both(decision.tight, standing.tight);
    if (standing.holds == Answer::kNo && !decision.witness) decision.witness = actual[i].witness.get();
    if (standing.tight == Answer::kNo && !decision.slack) decision.slack = LevelAndBound{actual[i], *claimed[i]};
  }
  if (decision.holds != Answer::kYes) decision.slack.reset();
  decision.actual = std::move(levels);
  return decision;
}

std::optional<ClaimOutcome> standing_of(const Claimed& claimed, const Actual& actual) {
  if (const auto* measured = single_level(actual)) {
    const Level* level = claimed.form == ClaimForm::kLevel ? claimed.level_of("") : nullptr;
    if (level == nullptr) return std::nullopt;
    return standing_of(*measured, *level);
  }
  if (const auto* number = std::get_if<MeasuredNumber>(&actual)) {
    const Number* most = claimed.number();
    if (most == nullptr) return std::nullopt;
    return standing_of(*number, *most);
  }
  if (const auto* refinement = std::get_if<Refinement>(&actual)) {
    return ClaimOutcome{answer_of(refinement->holds), Answer::kYes};
  }
  const auto* levels = std::get_if<NamedLevels>(&actual);
  if (levels == nullptr || claimed.form != ClaimForm::kByCoordinate) return std::nullopt;
  ClaimOutcome standing{Answer::kYes, Answer::kYes};
  for (const auto& [coordinate, own] : *levels) {
    const Level* level = claimed.level_of(coordinate);
    if (level == nullptr) return std::nullopt;
    const ClaimOutcome of_this = standing_of(own, *level);
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
  if (const auto* number = std::get_if<MeasuredNumber>(&actual)) {
    // The event of a delta of 0 is empty.
    const bool has_event = number->kind != NumberKind::kPosterior || number->witness.shows_something();
    return has_event ? std::optional(number->witness) : std::nullopt;
  }
  if (const auto* levels = std::get_if<NamedLevels>(&actual); levels != nullptr && !levels->empty()) {
    return shown(levels->front().second);
  }
  return std::nullopt;
}

std::string open_reason(const Actual& actual) {
  const auto reason = [](const MeasuredLevel& level) { return level.unfinished ? level.unfinished->reason : ""; };
  if (const auto* measured = single_level(actual)) return reason(*measured);
  if (const auto* number = std::get_if<MeasuredNumber>(&actual)) {
    return number->unfinished ? number->unfinished->reason : "";
  }
  if (const auto* levels = std::get_if<NamedLevels>(&actual)) {
    for (const auto& [coordinate, level] : *levels) {
      if (level.unfinished) return level.unfinished->reason;
    }
  }
  return "";
}

namespace {

const std::string kEpsilon = "epsilon", kDelta = "delta";

ClaimedValue stated(const Level& level, bool symbols) {
  return symbols ? ClaimedValue(level.to_string()) : ClaimedValue(level);
}
ClaimedValue stated(const Number& number, bool symbols) {
  return symbols ? ClaimedValue(number.to_string()) : ClaimedValue(number);
}

}  // namespace

std::string ClaimedValue::text() const {
  if (level() != nullptr) return level()->to_string();
  return number() != nullptr ? number()->to_string() : std::get<std::string>(value_);
}

std::size_t ClaimedValue::text_size() const {
  if (level() != nullptr) return level()->text_size();
  return number() != nullptr ? number()->text_size() : std::get<std::string>(value_).size();
}

const Level* Claimed::level_of(const std::string& name) const {
  if (form != ClaimForm::kLevel && form != ClaimForm::kByCoordinate) return nullptr;
  for (const auto& [own, value] : values) {
    if (own == name) return value.level();
  }
  return nullptr;
}

const Number* Claimed::number() const {
  const bool has_number = form == ClaimForm::kNumber || (form == ClaimForm::kLevelAndDelta && values.size() == 2);
  return has_number && !values.empty() ? values.back().second.number() : nullptr;
}

bool Notion::may_allow_tail() const {
  const auto is_optional_delta = [](const Field& field) { return field.name == kDelta && !field.required; };
  return form == ClaimForm::kLevel && std::any_of(fields.begin(), fields.end(), is_optional_delta);
}

bool Notion::allows_tail(const Arguments& arguments) const { return arguments.has(kDelta) && may_allow_tail(); }

ClaimForm form_of(const Notion& notion, const Arguments& arguments) {
  if (notion.form != ClaimForm::kLevel) return notion.form;
  if (notion.allows_tail(arguments)) return ClaimForm::kLevelAndDelta;
  const bool by_coordinate = arguments.find_if<CoordinateLevels>(notion.locking.bounds.front()) != nullptr;
  return by_coordinate ? ClaimForm::kByCoordinate : ClaimForm::kLevel;
}

std::vector<std::string> bounds_of(const Notion& notion, const Arguments& arguments) {
  return notion.allows_tail(arguments) ? std::vector{kDelta} : notion.locking.bounds;
}

Claimed claimed_of(const Notion& notion, const Domain& domain, const Arguments& arguments, bool symbols) {
  const auto level = [&]() -> const std::string& { return notion.locking.bounds.front(); };
  Claimed claimed{form_of(notion, arguments), {}, {}};
  switch (claimed.form) {
    case ClaimForm::kLevel: claimed.values.emplace_back("", stated(arguments.get<Level>(level()), symbols)); break;
    case ClaimForm::kLevelAndDelta:
      claimed.values.emplace_back(kEpsilon, stated(arguments.get<Level>(kEpsilon), symbols));
      claimed.values.emplace_back(kDelta, stated(arguments.get<Number>(kDelta), symbols));
      break;
    case ClaimForm::kByCoordinate: {
      const CoordinateLevels& levels = arguments.get<CoordinateLevels>(level());
      for (std::size_t i = 0; i < levels.size(); ++i) {
        if (levels[i]) claimed.values.emplace_back(domain.coordinate(i).name, stated(*levels[i], symbols));
      }
      break;
    }
    case ClaimForm::kMatrix: {
      if (const auto* function = arguments.find_if<std::shared_ptr<const PairLevels>>(kEpsilon)) {
        claimed.function = (*function)->written();
        break;
      }
      const LevelMatrix& bounds = arguments.get<LevelMatrix>(kEpsilon);
      claimed.matrix.resize(domain.inputs());
      for (std::size_t k = 0; k < bounds.levels.size(); ++k) {
        claimed.matrix[k / domain.inputs()].push_back(stated(bounds.levels[k], symbols));
      }
      break;
    }
    case ClaimForm::kNumber:
      // Without the field, nothing may be missed.
      claimed.values.emplace_back("", stated(arguments.find<Number>(level()).value_or(Number(0)), symbols));
      break;
    case ClaimForm::kMechanism: break;
  }
  return claimed;
}

std::vector<std::vector<std::string>> matrix_text(const LevelMatrix& matrix, std::uint64_t inputs) {
  std::vector<std::vector<std::string>> rows(inputs);
  for (std::size_t k = 0; k < matrix.levels.size(); ++k) rows[k / inputs].push_back(matrix.levels[k].to_string());
  return rows;
}

}  // namespace oddsbound::notions
