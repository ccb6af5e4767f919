// Audits by statistics, from a request to a report.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audits/anytime.h"
#include "audits/exact.h"
#include "audits/plan.h"
#include "results/result.h"

namespace oddsbound {

struct StatisticalAudit {
  AuditRequest request;
  std::string name;  // of the spec
  ChannelPtr channel;
  Domain domain;
  AuditFindings findings;
  std::vector<ExactAnswer> exact;     // of the stated channel, per level of the findings
  std::vector<SourceFile> files;      // of the plan, the spec and the transcript
  std::vector<AnytimeLevel> history;  // with request.until
  double seconds = 0;

  /// "passes", "contradicted", "deviates", or "interrupted" where nothing was found before a program failed.
  std::string verdict() const;
  bool as_expected() const;
};

struct StatisticalRun {
  std::vector<StatisticalAudit> audits;
  std::vector<FileError> errors;

  /// 0: all as expected; 1: some not; 2: a file is wrong or a program failed; 3: nothing failed, but some audit was
  /// interrupted by a limit.
  int exit_status() const;
};

/// Told now and then how far an audit is: runs made, runs planned, log evidence with request.until.
using StatisticalProgress =
    std::function<void(const std::string& name, std::uint64_t runs, std::uint64_t planned, std::optional<double>)>;

/// What is run, and who watches whether runs are independent (programs with outputs that are counted).
struct AuditedSampler {
  std::unique_ptr<DependenceWatch> watch;
  std::unique_ptr<Runner> runner;
};
AuditedSampler sampler_of(const Spec& spec, const AuditRequest& request, Budget& budget);
/// Fills in what was seen of whether runs are independent. watch: null if nobody watched.
void add_dependence(StatisticalAudit& audit, const DependenceWatch* watch);
/// Fills in what the report says about the spec; after the findings.
void describe_spec(StatisticalAudit& audit, const Spec& spec, const Limits& limits);

/// Throws SpecError and other exceptions for what is wrong with the request.
StatisticalAudit run_audit(const AuditRequest& request, const Limits& limits, const StatisticalProgress& progress = {});
/// All of them; what is wrong with one is an error of that one.
StatisticalRun run_audits(std::span<const AuditRequest> requests, const Limits& limits,
                          const StatisticalProgress& progress = {});

std::string json_statistical(const StatisticalRun& run);
std::string text_statistical(const StatisticalRun& run);

}  // namespace oddsbound
