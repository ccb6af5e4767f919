// From spec files to a result: reads, measures and decides. An error in one file does not stop the others.
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
  bool analysis = true;  // levels, curves and figures; false: only what claims need
  bool tradeoffs = false;
  bool figures = false;                // everything a report draws, unless too large to read
  bool figures_asked = false;          // figures were requested explicitly, not only for a report
  bool effects = false;                // effects of outputs on odds, if there is a prior
  bool effects_asked = false;          // like figures_asked
  std::vector<std::string> for_all{};  // levels over these sets of priors, by name; "*": all
  bool tolerances = false;             // how wrong the prior may be before claimed BCDP levels fail
  bool witness_specs = false;          // priors that attain levels over sets, as specs
  bool claim_certificates = false;     // proofs of the verdicts
  bool certificate = false;            // proofs of the upper bounds of BCDP levels
  bool timings = false;                // processor seconds of each spec and claim; only with one job
  Engine engine = Engine::kExact;
  SmtOptions smt;
  std::size_t jobs = 1;
  /// Called from any thread when a file begins, with the number of files begun.
  std::function<void(std::size_t begun, std::size_t total, const std::string& file)> progress;
};

/// The error of a file that was skipped because of a stop.
FileError skipped(const std::string& file);

/// Measures one model and decides its claims.
SpecResult evaluate(const Spec& spec, Budget& budget, const EvaluateOptions& options);

/// Evaluates the files in order, each with its own budget.
Report evaluate_files(std::span<const std::string> files, const EvaluateOptions& options);

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

}  // namespace oddsbound::app
