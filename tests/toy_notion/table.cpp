// A notion table from outside the library: notions of the library and one more, defined in one file and one line.
#include <algorithm>

#include "verifier/notions/bcdp.h"
#include "verifier/notions/cdp.h"
#include "verifier/notions/ldp.h"
#include "verifier/notions/table.h"

namespace oddsbound::notions {

namespace {

// Two runs of the mechanism on the same input, for a coordinate with the others known: twice the CDP level.
std::vector<MeasuredLevel> twice_cdp(MeasuredModel& subject) {
  std::vector<MeasuredLevel> levels = measured_cdp(subject);
  for (MeasuredLevel& level : levels) {
    level.at_least = level.at_least.times(2);
    level.witness.update([](Witness& witness) {
      witness.p_from *= witness.p_from;
      witness.p_to *= witness.p_to;
    });
  }
  return levels;
}

Decision decide_twice(MeasuredModel& subject, const Arguments& arguments) {
  return decide_coordinates(subject.domain(), twice_cdp(subject), arguments.get<CoordinateLevels>("epsilon"));
}

Notion twice_notion() {
  return {.name = "twice_cdp",
          .title = "coordinate DP of two runs",
          .summary = "coordinate differential privacy of two runs on the same input",
          .source = "composition",
          .fields = {{"epsilon", FieldKind::kCoordinateLevels}},
          .form = ClaimForm::kByCoordinate,
          .decide = decide_twice,
          .measure = twice_cdp,
          .expect = [](MeasuredModel& subject, const Arguments&) { expect_cdp(subject); }};
}

}  // namespace

std::span<const Notion> notion_table() {
  static const std::vector<Notion> table = {ldp_notion(), cdp_notion(), bcdp_notion(), twice_notion()};
  return table;
}

}  // namespace oddsbound::notions
