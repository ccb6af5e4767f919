// What is to be audited, and how: from the command line, or from a plan, a JSON file that can be run again
// (docs/auditing.md).
#pragma once

#include <string>

#include "audits/external.h"
#include "audits/measure.h"
#include "specs/source_file.h"

namespace oddsbound {

/// What an audit is expected to say.
enum class Expectation { kPasses, kContradicted, kDeviates, kFails };

struct AuditRequest {
  std::string name;        // of the plan; empty without one
  std::string spec;        // a file
  std::string program;     // empty: the built-in sampler
  std::string transcript;  // a file of recorded runs, in place of a sampler
  bool one_process_per_sample = false;
  bool until = false;
  ProgramLimits program_limits;
  AuditOptions options;
  bool seed_given = false;
  Expectation expect = Expectation::kPasses;
  std::vector<SourceFile> files{};  // that the request was read from
};

std::string word_of(Expectation expectation);

/// 1 - confidence, rounded. Throws ModelError unless the confidence lies in [1/2, 1).
double error_of_confidence(const Number& confidence);

/// Reads a plan. File names in it, and its program, are relative to its folder. Throws SpecError.
AuditRequest read_plan(const std::string& path, Budget& budget);
/// The same from a text; `path` is the name that errors give.
AuditRequest read_plan_text(const std::string& path, std::string text, Budget& budget);

}  // namespace oddsbound
