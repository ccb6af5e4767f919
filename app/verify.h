// From spec files to a result: reads, measures and decides. An error in one file does not stop the others.
#pragma once

#include <sys/resource.h>
#include <span>
#include <string>
#include <vector>

#include "app/decide_claim.h"
#include "app/result_cache.h"
#include "oddsbound/options.h"
#include "reports/report.h"

namespace oddsbound::app {

/// The error of a file that was skipped because of a stop.
FileError skipped(const std::string& file);

/// Measures one model and decides its claims.
SpecResult evaluate(const Spec& spec, Budget& budget, const VerifyOptions& options);

/// Evaluates the files in order, each with its own budget. The progress is called when a file begins, with the number
/// of files begun. cache: where results are looked up and kept; null: nowhere.
Report evaluate_files(std::span<const std::string> files, const VerifyOptions& options, const Context& context = {},
                      ResultCache* cache = nullptr);

// Processor time, which does not depend on other load of the machine

/// The processor time of all threads of this process and of its finished child processes, since the start.
inline double processor_seconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    }
  }
  return seconds;
}

// Dumps of disagreements between deciders: saves what each of them found about a claim.

/// Writes the files of a report's disagreements to `folder`, as oddsbound-disagreement-NAME. Returns one sentence
/// per disagreement that names its files. Throws std::runtime_error if a file cannot be written.
std::vector<std::string> write_disagreement_dumps(const Report& report, const std::string& folder);

}  // namespace oddsbound::app
