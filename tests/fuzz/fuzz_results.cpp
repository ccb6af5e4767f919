// Any text is either a result, of which every report can be written, or a privacy lock that reads back as it was, or an
// error that says so.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "reports/render.h"
#include "results/lock.h"
#include "tests/fuzz/reading.h"

using namespace oddsbound;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  Limits limits;
  limits.max_seconds = 2;
  Budget budget(limits);
  try {
    try_reading([&] {
      Report report;
      read_results(JsonDocument("results.json", text), budget, report);
      for (const std::string& format : kReportFormats) {
        const std::string written = render(report, 0, format, {});
        if (format == "html" && written.find("<img") != std::string::npos) std::abort();
      }
    });
    try_reading([&] {
      const Lock lock = read_lock("lock.json", text, budget);
      const std::string again = lock_text(lock);
      if (lock_text(read_lock("lock.json", again, budget)) != again) std::abort();
    });
  } catch (const std::exception&) {
    std::abort();
  }
  return 0;
}
