#include "verifier/privacy/notion.h"

#include "verifier/privacy/approximate.h"
#include "verifier/privacy/bcdp.h"
#include "verifier/privacy/cdp.h"
#include "verifier/privacy/context.h"
#include "verifier/privacy/ldp.h"
#include "verifier/privacy/partial.h"

namespace oddsbound {

std::span<const Notion> notions() {
  static const std::vector<Notion> table = {
      ldp_notion(),         bdp_notion(),       cdp_notion(),          bcdp_notion(),       secret_notion(),
      context_ldp_notion(), block_ldp_notion(), high_low_ldp_notion(), partial_dp_notion(), approximate_dp_notion(),
  };
  return table;
}

const Notion* find_notion(std::string_view name) {
  for (const Notion& notion : notions()) {
    if (notion.name == name) return &notion;
  }
  return nullptr;
}

Decision decide_level(const MeasuredLevel& actual, const Level& claimed) {
  Decision decision;
  decision.holds = actual.level <= claimed;
  decision.claimed = claimed.to_string();
  decision.actual = actual;
  decision.by_cases = actual.by_cases;
  if (!decision.holds) decision.witness = actual.witness;
  return decision;
}

Decision decide_coordinates(const Domain& domain, const std::vector<MeasuredLevel>& actual,
                            const CoordinateLevels& claimed) {
  Decision decision;
  decision.holds = true;
  std::vector<std::pair<std::string, std::string>> claims;
  std::vector<CoordinateLevel> levels;
  for (std::size_t i = 0; i < claimed.size(); ++i) {
    if (!claimed[i]) continue;
    claims.emplace_back(domain.coordinate(i).name, claimed[i]->to_string());
    levels.push_back({domain.coordinate(i).name, actual[i]});
    decision.by_cases |= actual[i].by_cases;
    if (actual[i].level <= *claimed[i]) continue;
    if (decision.holds) decision.witness = actual[i].witness;
    decision.holds = false;
  }
  decision.claimed = std::move(claims);
  decision.actual = std::move(levels);
  return decision;
}

}  // namespace oddsbound
