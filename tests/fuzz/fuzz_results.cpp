// Every text is a result, which every report can show and which reads back unchanged, a privacy lock that reads
// back unchanged, or an error.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "reports/formats.h"
#include "reports/lock.h"
#include "reports/text.h"
#include "tests/fuzz/reading.h"

using namespace oddsbound;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return try_text(data, size, [&](const std::string& text, Budget& budget) {
    try_reading([&] {
      const Report report = report_from_json(JsonDocument("results.json", text), budget);
      const std::string json = to_json(report);
      if (to_json(report_from_json(JsonDocument("results.json", json), budget)) != json) std::abort();
      if (text_analysis(report, {}) == text_verification(report, {}) ||
          text_audits(report).empty() != report.audits.empty())
        std::abort();
      const Checks checks = checks_of(report, 0);
      for (const Format& format : formats()) {
        const std::string written = format.of_report(report, checks, {});
        if (format.name == "html" && written.find("<img") != std::string::npos) std::abort();
      }
    });
    try_reading([&] {
      const Lock lock = read_lock("lock.json", text, budget);
      const std::string again = lock_text(lock);
      if (lock_text(read_lock("lock.json", again, budget)) != again) std::abort();
    });
  });
}
