// What is to be audited, and how.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "specs/source_file.h"
#include "verifier/exact/number.h"

namespace oddsbound::audits {

/// Of a program that samples.
struct ProgramLimits {
  std::string directory;       // to run it in; empty: the present one
  double answer_seconds = 60;  // how long it may take for a line
  std::uint64_t memory_mb = 4096;
};

struct AuditOptions {
  std::uint64_t samples = 1'000'000;  // runs in all
  double alpha = 0.01;                // the probability that anything reported is wrong
  std::uint64_t seed = 0;
  std::size_t threads = 1;
  bool all_levels = false;
  std::uint64_t shard = 0, shards = 1;
};

/// What an audit is expected to say.
enum class Expectation { kPasses, kContradicted, kDeviates, kFails, kPassesForTried };

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
  std::string function{};           // what a caller's function is called that is audited in place of all these
};

std::string word_of(Expectation expectation);

/// 1 - confidence, rounded. Throws ModelError unless the confidence lies in [1/2, 1).
double error_of_confidence(const Number& confidence);

}  // namespace oddsbound::audits
