#include "results/quantities.h"

#include "results/words.h"
#include "verifier/notions/table.h"

namespace oddsbound::results {

std::vector<Quantity> quantities(const SpecResult& spec) {
  const Analysis& analysis = spec.analysis;
  const std::vector<GivenLevel> given = levels_beside(spec);
  std::vector<Quantity> all;
  const auto add = [&](const std::string& name, const std::string& coordinate, const MeasuredLevel& measured) {
    const Notion* notion = find_notion(name);
    const bool of_prior = notion == nullptr || notion->needs_prior;
    all.push_back({name, coordinate, "", "", measured, of_prior, false, measured.rounded,
                   shown_words(measured, spec.coordinates)});
    for (const GivenLevel& known : given) {
      if (known.notion->name != name || known.coordinate != coordinate) continue;
      const MeasuredLevel& level = *known.measured;
      all.push_back(
          {name, coordinate, known.words, "", level, true, false, level.rounded, shown_words(level, spec.coordinates)});
    }
  };
  for (const auto& [notion, measured] : analysis.levels) {
    if (const auto* level = std::get_if<MeasuredLevel>(&measured)) add(notion, "", *level);
  }
  for (std::size_t i = 0; i < spec.coordinates.size(); ++i) {
    for (const auto& [notion, measured] : analysis.levels) {
      const auto* levels = std::get_if<std::vector<MeasuredLevel>>(&measured);
      if (levels != nullptr) add(notion, spec.coordinates[i], (*levels)[i]);
    }
    for (const Guarantee& bound : guarantees(spec, i)) {
      all.push_back({"bcdp",
                     spec.coordinates[i],
                     bound.name,
                     bound.kind,
                     {bound.level, {}},
                     true,
                     true,
                     bound.rounded,
                     bound.words});
    }
  }
  return all;
}

}  // namespace oddsbound::results
