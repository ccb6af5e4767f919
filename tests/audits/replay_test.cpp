// The exact levels next to an audit's bounds, against those of the exact engine.

#include <doctest/doctest.h>
#include <filesystem>

#include "app/verify.h"
#include "audits/replay.h"
#include "base/errors.h"

using namespace oddsbound;

namespace {

// The level of a question according to analyze and verify; nullopt if it is not the level of a whole notion.
std::optional<Level> known_level(const Question& question, const SpecResult& spec) {
  if (const MeasuredLevel* level = spec.analysis.level(question.notion)) return level->at_least;
  if (const auto* levels = spec.analysis.by_coordinate(question.notion)) {
    for (std::size_t i = 0; i < spec.coordinates.size(); ++i) {
      if (spec.coordinates[i] == question.about) return (*levels)[i].at_least;
    }
    return std::nullopt;
  }
  if (question.notion != "secret" && question.notion != "block_ldp" && question.notion != "high_low_ldp") return {};
  const auto* level = std::get_if<MeasuredLevel>(&spec.claims.at(question.claims.at(0).claim).decision.actual);
  return level == nullptr ? std::nullopt : std::optional(level->at_least);
}

}  // namespace

TEST_CASE("exact answers are the levels of the exact engine, on the whole gallery") {
  std::size_t levels = 0, deltas = 0, implied = 0;
  for (const auto& entry : std::filesystem::directory_iterator(ODDSBOUND_SOURCE_DIR "/specs/gallery")) {
    if (entry.path().extension() != ".json") continue;
    CAPTURE(entry.path().string());
    Budget budget;
    const Spec spec = read_spec(entry.path().string(), budget);
    if (!spec.model.channel) continue;
    if (spec.model.domain.input_numbers() > 2048) {
      CHECK_THROWS_WITH_AS(questions_of(spec, true, budget), doctest::Contains("at most 2048 inputs"), LimitError);
      continue;
    }
    const SpecResult result = evaluate(spec, budget, {});
    for (const Question& question : questions_of(spec, true, budget)) {
      CAPTURE(question.title());
      const ExactAnswer answer = exact_answer(question, *spec.model.channel, budget);
      CHECK(!(answer.level && answer.delta));
      if (!question.implied.empty()) {
        // What a claim implies holds if the claim does.
        for (const ClaimedLevel& claim : question.claims) {
          if (result.claims.at(claim.claim).decision.holds != Answer::kYes) continue;
          if (answer.level) CHECK(*answer.level <= claim.level);
          if (answer.delta) CHECK(*answer.delta <= claim.delta);
          ++implied;
        }
        continue;
      }
      if (const auto known = known_level(question, result); answer.level && known) {
        CHECK(*answer.level == *known);
        ++levels;
      }
      if (!answer.delta) continue;
      const auto& claim = result.claims.at(question.claims.at(0).claim);
      CHECK(*answer.delta == std::get<MeasuredNumber>(claim.decision.actual).at_least);
      ++deltas;
    }
  }
  CHECK(levels > 100);
  CHECK(deltas > 3);
  CHECK(implied > 20);
}
