// From spec files to a result: reads, measures and decides; one bad file never stops the others.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "results/report.h"
#include "runs/decide_claim.h"

namespace oddsbound::runs {

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
FileError not_come_to(const std::string& file);

/// Measures one model and decides its claims.
SpecResult evaluate(const Spec& spec, Budget& budget, const EvaluateOptions& options);

/// The files in order, each with a budget of its own.
Report evaluate_files(std::span<const std::string> files, const EvaluateOptions& options);

}  // namespace oddsbound::runs
