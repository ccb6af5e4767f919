// A user's program that runs the mechanism. Requests and answers are lines of JSON (docs/auditing.md):
//
//   {"input": ["1st", "male"], "count": 1000, "seed": 7}
//
// The answer has that many outputs, in any number of lines: {"outputs": ["a", "b", ...]}, {"counts": {"a": 400,
// ...}}, or a single output. An output is a label, a list of labels for a tuple, or a list of numbers for a vector.
// {"error": "words"} ends the audit.
#pragma once

#include "audits/dependence.h"
#include "audits/runner.h"

namespace oddsbound::audits {

struct ExternalOptions {
  std::string command;
  ProgramLimits limits;
  bool one_process_per_sample = false;  // and without a seed
};

/// watch: sees outputs in their order; may be null.
std::unique_ptr<Runner> external_runner(const Spec& spec, const ExternalOptions& options, std::uint64_t seed,
                                        DependenceWatch* watch, Budget& budget);

}  // namespace oddsbound::audits
