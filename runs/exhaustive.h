// Exhaustive checks of samplers, from spec files to a report.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "audits/exhaustive.h"
#include "results/result.h"

namespace oddsbound {

struct AuditResult {
  std::string file;
  std::string name;
  std::optional<ExhaustiveResult> check;  // none if undecided
  std::string reason;                     // of an undecided one
  ChannelPtr channel;
  Domain domain;
  std::vector<SourceFile> files{};
};

struct AuditRun {
  unsigned bound_bits = 0;
  bool accept_exceptions = false;  // choices of which nothing could be shown do not count
  std::vector<AuditResult> audits;
  std::vector<FileError> errors;

  /// 0: every sampler passed; 1: some did not; 2: a file is wrong; 3: nothing failed, but something stayed undecided or
  /// passed only but for exceptions that were not accepted.
  int exit_status() const;
};

AuditRun audit_files(std::span<const std::string> files, const ExhaustiveOptions& options, const Limits& limits);

std::string json_audits(const AuditRun& run);
std::string text_audits(const AuditRun& run);

}  // namespace oddsbound
