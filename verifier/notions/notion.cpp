#include "verifier/notions/notion.h"

namespace oddsbound {

std::vector<std::vector<std::string>> matrix_text(const LevelMatrix& matrix, std::uint64_t inputs) {
  std::vector<std::vector<std::string>> rows(inputs);
  for (std::size_t k = 0; k < matrix.levels.size(); ++k) rows[k / inputs].push_back(matrix.levels[k].to_string());
  return rows;
}

Claimed claimed_of(const Domain& domain, const Arguments& arguments) {
  const std::string epsilon = "epsilon";
  if (const auto* level = arguments.find_if<Level>(epsilon)) {
    const auto* delta = arguments.find_if<Number>("delta");
    if (delta == nullptr) return level->to_string();
    return std::vector<std::pair<std::string, std::string>>{{epsilon, level->to_string()},
                                                            {"delta", delta->to_string()}};
  }
  if (const auto* levels = arguments.find_if<CoordinateLevels>(epsilon)) {
    std::vector<std::pair<std::string, std::string>> claims;
    for (std::size_t i = 0; i < levels->size(); ++i) {
      if ((*levels)[i]) claims.emplace_back(domain.coordinate(i).name, (*levels)[i]->to_string());
    }
    return claims;
  }
  if (arguments.has("of")) return "post-processing of the given mechanism";
  if (const auto* bounds = arguments.find_if<LevelMatrix>(epsilon)) return matrix_text(*bounds, domain.inputs());
  return std::vector<std::vector<std::string>>();
}

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

}  // namespace oddsbound
