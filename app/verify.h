// From spec files to a result: reads, measures and decides; one bad file never stops the others.
#pragma once

#include <sys/resource.h>

#include <functional>
#include <span>
#include <string>

#include "app/decide_claim.h"
#include "reports/report.h"

namespace oddsbound::app {

struct EvaluateOptions {
  Limits limits;
  bool decide_claims = true;
  bool analysis = true;  // also levels, curves and figures; false: nothing is measured but what the claims need
  bool tradeoffs = false;
  bool figures = false;                // also whatever a report draws, as far as it is not too large to be read
  bool figures_asked = false;          // and not only because a report is written
  bool effects = false;                // also what outputs do to odds, where there is a prior
  bool effects_asked = false;          // the same as figures_asked
  std::vector<std::string> for_all{};  // also levels over these sets of priors, by name; "*": all that a spec has
  bool tolerances = false;             // also how wrong the prior may be before claimed BCDP levels fail
  bool witness_specs = false;          // also the priors that show levels over sets, as specs
  bool claim_certificates = false;     // also proofs of the verdicts
  bool certificate = false;            // also proofs of the upper bounds of BCDP levels
  bool timings = false;                // also the processor seconds of each spec and claim; with one job only
  Engine engine = Engine::kExact;
  SmtOptions smt;
  std::size_t jobs = 1;
  /// Called when a file is begun, with how many are; from any thread.
  std::function<void(std::size_t begun, std::size_t total, const std::string& file)> progress;
};

/// The error of a file that a stop left out.
FileError skipped(const std::string& file);

/// Measures one model and decides its claims.
SpecResult evaluate(const Spec& spec, Budget& budget, const EvaluateOptions& options);

/// The files in order, each with a budget of its own.
Report evaluate_files(std::span<const std::string> files, const EvaluateOptions& options);

// What a piece of work costs: processor time, which does not depend on what else the machine does.

/// Of all threads of the process, and of the processes that it started and that ended, since it began.
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

}  // namespace oddsbound::app
