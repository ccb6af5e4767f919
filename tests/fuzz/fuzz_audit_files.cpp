// Every text is an audit plan, a part of an audit, a table of recorded runs or a line of a program's answer;
// otherwise reading fails with an error.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "audits/answer.h"
#include "audits/runner.h"
#include "reports/part_file.h"
#include "specs/collected.h"
#include "tests/fuzz/reading.h"

using namespace oddsbound;

namespace {

class Ignore final : public OutputTaker {
 public:
  void label(const std::string&, std::uint64_t, bool) override {}
  void vector(const std::vector<double>&) override {}
  void told(const std::vector<KeyedNumber>&) override {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
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
  return try_text(data, size, [&](const std::string& text, Budget& budget) {
    try_reading([&] { read_plan_text("plan.json", text, budget); });
    try_reading([&] { read_transcript("runs.csv", text, spec.model.domain, *spec.model.channel, budget); });
    for (const AnswerKind kind : {AnswerKind::kLabels, AnswerKind::kVectors, AnswerKind::kTold}) {
      Ignore taker;
      try {
        read_answer_line(text, kind, taker);
      } catch (const ProgramError&) {
      }
    }
    try_reading([&] {
      const JsonDocument document("part.json", text);
      AuditPart part = read_part_head(document);
      read_part_counts(document, spec, questions, part);
      if (part_text(part).empty()) std::abort();
    });
  });
}
