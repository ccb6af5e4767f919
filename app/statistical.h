// Audits by statistics, from a request to a report.
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

/// Told now and then how far an audit is: runs made, runs planned, log evidence with request.until.
using StatisticalProgress =
    std::function<void(const std::string& name, std::uint64_t runs, std::uint64_t planned, std::optional<double>)>;

/// What is run, and who watches whether runs are independent (programs with outputs that are counted).
struct AuditedSampler {
  std::unique_ptr<DependenceWatch> watch;
  std::unique_ptr<Runner> runner;
};
AuditedSampler sampler_of(const Spec& spec, const AuditRequest& request, Budget& budget);
/// The same of a caller's function.
AuditedSampler sampler_of(const Spec& spec, const AuditRequest& request, BatchDraw draw, Budget& budget);
/// Fills in what was seen of whether runs are independent. watch: null if nobody watched.
void add_dependence(const AuditRequest& request, const DependenceWatch* watch, AuditFindings& findings);
/// The result of what was found.
AuditResult audit_result(const AuditRequest& request, const Spec& spec, const AuditFindings& findings,
                         std::vector<AnytimeLevel> history, const Limits& limits);

/// Audits a spec that was read. sampler: what is run, in place of what the request names; without a runner: that.
/// Throws SpecError and other exceptions for what is wrong with the request.
AuditResult audit_spec(const Spec& spec, const AuditRequest& request, AuditedSampler sampler, Budget& budget,
                       const StatisticalProgress& progress = {});
/// The same for the request's file. number: the place of the request among all of the run.
AuditResult run_audit(const AuditRequest& request, Limits limits, const StatisticalProgress& progress = {},
                      std::size_t number = 0);
/// How many runs the request's audit needs to find a claim that is wrong by the margin (audits/plan.h). Throws
/// SpecError and other exceptions for what is wrong with the request.
RunPlan plan_audit(const AuditRequest& request, double margin, const Limits& limits);
/// All of them; what is wrong with one is an error of that one.
Report run_audits(std::span<const AuditRequest> requests, const Limits& limits,
                  const StatisticalProgress& progress = {});

}  // namespace oddsbound::app
