// Statistical audits, from a request to a report.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audits/anytime.h"
#include "audits/plan.h"
#include "audits/replay.h"
#include "reports/report.h"
#include "reports/run_plan_result.h"

namespace oddsbound::app {

/// Called from time to time with the progress: runs made, runs planned, and log evidence with request.until.
using StatisticalProgress =
    std::function<void(const std::string& name, std::uint64_t runs, std::uint64_t planned, std::optional<double>)>;

/// The audited runner, and the watch for dependence between runs (programs with counted outputs).
struct AuditedSampler {
  std::unique_ptr<DependenceWatch> watch;
  std::unique_ptr<Runner> runner;
};
AuditedSampler sampler_of(const Spec& spec, const AuditRequest& request, Budget& budget);
/// The same for a caller's function.
AuditedSampler sampler_of(const Spec& spec, const AuditRequest& request, BatchDraw draw, Budget& budget);
/// Adds the findings about dependence between runs. watch: null if nothing was watched.
void add_dependence(const AuditRequest& request, const DependenceWatch* watch, AuditFindings& findings);
/// Returns the result for the findings.
AuditResult audit_result(const AuditRequest& request, const Spec& spec, const AuditFindings& findings,
                         std::vector<AnytimeLevel> history, const Limits& limits);

/// Audits a spec that was read: its claims, or the request's curve (audits/curve.h). sampler: runs instead of the
/// request's sampler; without a runner: the request's sampler. Throws SpecError and other exceptions for errors in the
/// request.
AuditResult audit_spec(const Spec& spec, const AuditRequest& request, AuditedSampler sampler, Budget& budget,
                       const StatisticalProgress& progress = {});
/// The same for the request's file. number: the index of the request within the run.
AuditResult run_audit(const AuditRequest& request, Limits limits, const StatisticalProgress& progress = {},
                      std::size_t number = 0);
/// Computes how many runs the request's audit needs to find a claim that is wrong by the margin (audits/plan.h).
/// Throws SpecError and other exceptions for errors in the request.
RunPlan plan_audit(const AuditRequest& request, double margin, const Limits& limits);
/// Runs all requests. An error in one is an error of that one.
Report run_audits(std::span<const AuditRequest> requests, const Limits& limits,
                  const StatisticalProgress& progress = {});

}  // namespace oddsbound::app
