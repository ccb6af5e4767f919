// Any text is either an audit plan, a part of an audit or a table of recorded runs, or a SpecError.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "reports/part_file.h"
#include "specs/collected.h"
#include "tests/fuzz/reading.h"

using namespace oddsbound;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  Limits limits;
  limits.max_seconds = 2;
  Budget budget(limits);
  static const Spec spec = [] {
    Budget unlimited;
    return read_spec_text("coin.json", ".", R"j({"oddsbound": 1, "name": "coin",
      "domain": [{"name": "x", "values": ["0", "1"]}],
      "mechanism": {"type": "k_randomized_response", "epsilon": "log(3)"},
      "claims": [{"notion": "ldp", "epsilon": "log(3)"}]})j",
                          unlimited);
  }();
  static const std::vector<Question> questions = [] {
    Budget unlimited;
    return questions_of(spec, false, unlimited);
  }();
  try {
    try_reading([&] { read_plan_text("plan.json", text, budget); });
    try_reading([&] { read_transcript("runs.csv", text, spec.model.domain, *spec.model.channel, budget); });
    try_reading([&] {
      const JsonDocument document("part.json", text);
      AuditPart part = read_part_head(document);
      read_part_counts(document, spec, questions, part);
      if (part_text(part).empty()) std::abort();
    });
  } catch (const std::exception&) {
    std::abort();
  }
  return 0;
}
