#include "verifier/privacy/partial.h"

#include "verifier/privacy/cdp.h"

namespace oddsbound {

namespace {

Decision decide_partial(Subject& subject, const Arguments& arguments) {
  return decide_coordinates(subject.domain(), measured_cdp(subject), arguments.get<CoordinateLevels>("epsilon"));
}

}  // namespace

Notion partial_dp_notion() {
  return {"partial_dp",
          "partial differential privacy: inputs that differ within one record may differ by the sum of the levels of "
          "the coordinates that differ",
          "partial-DP paper, Definitions 4 and 5",
          false,
          {{"epsilon", FieldKind::kAllCoordinateLevels}, {"records", FieldKind::kRecords, false}},
          decide_partial};
}

}  // namespace oddsbound
