// Every text is a spec, which is measured and whose printed levels read back, or a SpecError; never a crash, a
// hang or unbounded memory.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "app/verify.h"
#include "base/errors.h"
#include "reports/report.h"
#include "reports/text.h"
#include "verifier/exact/expression.h"

using namespace oddsbound;

namespace {

Report measured(const std::string& text, const VerifyOptions& options, const Limits& limits) {
  Budget budget(limits);
  const Spec spec = read_spec_text("fuzz.json", "/nonexistent", text, budget);
  Report run;
  run.specs.push_back(evaluate(spec, budget, options));
  return run;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  VerifyOptions options;
  Limits limits;
  limits.max_seconds = 0.1;  // the readers are tested, not the searches: more texts in the same time
  limits.max_inputs = 512;
  limits.max_cells = 4096;
  options.tradeoffs = true;
  try {
    // Results known at the time limit are still written.
    const Report run = measured(std::string(data, data + size), options, limits);
    if (to_json(run).empty() || text_analysis(run, {}).empty()) std::abort();
    const MeasuredLevel* ldp = run.specs[0].analysis.level("ldp");
    if (ldp != nullptr && parse_level(ldp->at_least.to_string()) != ldp->at_least) std::abort();
  } catch (const SpecError&) {
  } catch (const LimitError&) {
  } catch (const std::exception&) {
    std::abort();
  }
  return 0;
}
