#include "reports/search_result.h"

#include <fmt/format.h>
#include <algorithm>

#include "reports/fields.h"
#include "reports/level_fields.h"
#include "reports/report.h"

namespace oddsbound::reports {

void describe(FieldWriter& fields, SearchStep& step) {
  fields.field("coordinates", step.coordinates);
  fields.field("outputs", step.outputs);
  fields.word("outcome", step.found, {"none", "found", "undecided"});
  fields.field("seconds", step.seconds);
  fields.where(!step.reason.empty(), "reason", step.reason);
}

void describe(FieldWriter& fields, SearchResult& result) {
  fields.field("property", result.property);
  fields.field("steps", result.steps);
  std::vector<std::string> names;
  for (const FoundSpec& spec : result.specs) names.push_back(spec.name);
  fields.field("specs", names);
}

std::string to_json(const SearchResult& result) { return document_of(result); }

int SearchResult::exit_status() const {
  if (!specs.empty()) return 1;
  const bool open =
      std::any_of(steps.begin(), steps.end(), [](const SearchStep& step) { return step.found == Answer::kOpen; });
  return open ? 3 : 0;
}

std::string text_search(const SearchResult& result) {
  const Property* property = find_property(result.property);
  std::string text = result.property + ": " + (property == nullptr ? "" : property->summary) + "\n";
  for (const SearchStep& step : result.steps) {
    std::string outcome = "a counterexample";
    if (step.found == Answer::kNo) outcome = "none, proved";
    if (step.found == Answer::kOpen) outcome = "undecided: " + step.reason;
    SearchSize size;
    size.coordinates = step.coordinates;
    size.outputs = step.outputs;
    text += fmt::format("  {}: {} ({:.1f} ms)\n", size.to_string(), outcome, 1000 * step.seconds);
  }
  if (result.specs.empty()) return text;
  text += result.shown + "  checked by the exact engine, written to";
  for (const FoundSpec& spec : result.specs) text += " " + spec.name;
  return text + "\n";
}

}  // namespace oddsbound::reports
