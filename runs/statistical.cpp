#include "runs/statistical.h"

#include <algorithm>
#include <chrono>

#include "audits/external.h"
#include "base/errors.h"
#include "specs/collected.h"
#include "specs/reading.h"

namespace oddsbound {

namespace {

Tally recorded_tally(const Spec& spec, const std::string& file, Budget& budget) {
  if (!outputs_are_counted(spec)) throw ModelError("recorded runs are audited for outputs that can be counted");
  Tally tally(spec.model.domain.inputs(), spec.model.channel->outputs());
  const std::string text = read_file(file, budget.limits());
  for (const RecordedRun& run : read_transcript(file, text, spec.model.domain, *spec.model.channel, budget)) {
    tally.row(run.input)[join(*spec.model.channel, run.output)] += run.count;
  }
  return tally;
}

void run_sampler(const Spec& spec, StatisticalAudit& audit, Budget& budget, const StatisticalProgress& progress) {
  const AuditRequest& request = audit.request;
  // Runs stop at the time limit; what they say is worked out all the same.
  Budget thinking(without_time(budget.limits()));
  const AuditedSampler sampler = sampler_of(spec, request, budget);
  if (request.until) {
    if (!outputs_are_counted(spec)) throw ModelError("--until is for outputs that can be counted");
    AnytimeResult result =
        audit_until(spec, *sampler.runner, request.options, budget, [&](std::uint64_t runs, double evidence) {
          if (progress) progress(audit.name, runs, request.options.samples, evidence);
        });
    audit.findings = std::move(result.findings);
    audit.history = std::move(result.levels);
  } else {
    Measurement measured =
        measure(spec, *sampler.runner, request.options, budget, [&](std::uint64_t runs, std::uint64_t planned) {
          if (progress) progress(audit.name, runs, planned, std::nullopt);
        });
    audit.findings = assess(spec, std::move(measured), request.options, thinking);
  }
  add_dependence(audit, sampler.watch.get());
}

}  // namespace

std::string StatisticalAudit::verdict() const {
  // Bounds suppose independent runs.
  if (findings.contradicted() && findings.dependence.empty()) return "contradicted";
  if (findings.deviates()) return "deviates";
  return findings.interrupted ? "interrupted" : "passes";
}

bool StatisticalAudit::as_expected() const {
  const std::string found = verdict();
  if (request.expect == Expectation::kFails) return found == "contradicted" || found == "deviates";
  return found == word_of(request.expect);
}

int StatisticalRun::exit_status() const {
  const auto any = [&](auto condition) { return std::any_of(audits.begin(), audits.end(), condition); };
  const auto interrupted = [](const StatisticalAudit& audit) { return bool(audit.findings.interrupted); };
  if (!errors.empty()) return 2;
  if (any([&](const StatisticalAudit& a) { return interrupted(a) && !a.findings.interrupted.by_limit; })) return 2;
  if (any([&](const StatisticalAudit& a) { return !a.as_expected() && a.verdict() != "interrupted"; })) return 1;
  return any(interrupted) ? 3 : 0;
}

void add_dependence(StatisticalAudit& audit, const DependenceWatch* watch) {
  AuditFindings& findings = audit.findings;
  if (!audit.request.transcript.empty()) {
    findings.dependence_untested = "of recorded runs only the counts are looked at";
  } else if (watch == nullptr) {
    // The built-in sampler's runs are independent by its code.
    if (!audit.request.program.empty()) {
      findings.dependence_untested = "outputs are too many to be counted one by one";
    }
  } else {
    findings.dependence = watch->findings();
    if (watch->saw_any()) findings.dependence_power = watch->power();
    if (!watch->saw_any()) {
      findings.dependence_untested = "the program gives counts, or too few outputs, and not outputs in their order";
    }
  }
}

AuditedSampler sampler_of(const Spec& spec, const AuditRequest& request, Budget& budget) {
  if (request.program.empty()) return {nullptr, built_in_runner(spec, request.options.seed)};
  AuditedSampler sampler;
  if (outputs_are_counted(spec)) {
    const double alpha = alpha_of_dependence(request.options.alpha);
    sampler.watch = std::make_unique<DependenceWatch>(*spec.model.channel, alpha, budget);
  }
  sampler.runner = external_runner(spec, {request.program, request.program_limits, request.one_process_per_sample},
                                   request.options.seed, sampler.watch.get(), budget);
  return sampler;
}

void describe_spec(StatisticalAudit& audit, const Spec& spec, const Limits& limits) {
  audit.name = spec.name;
  audit.channel = spec.model.channel;
  audit.domain = spec.model.domain;
  audit.files.insert(audit.files.end(), spec.files.begin(), spec.files.end());
  if (!audit.channel) return;
  Budget budget(limits);
  try {
    for (const LevelFinding& level : audit.findings.levels) {
      audit.exact.push_back(exact_answer(level.question, *audit.channel, budget));
    }
  } catch (const LimitError&) {
    // What there is no time for is not shown.
  }
}

StatisticalAudit run_audit(const AuditRequest& request, const Limits& limits, const StatisticalProgress& progress) {
  const auto start = std::chrono::steady_clock::now();
  Budget budget(limits);
  const Spec spec = read_spec(request.spec, budget);
  require_no_symbols(spec, "an audit");
  StatisticalAudit audit;
  audit.request = request;
  audit.name = spec.name;
  audit.files = request.files;
  if (request.until && !request.transcript.empty()) throw ModelError("recorded runs cannot be stopped early (--until)");
  if (request.transcript.empty()) {
    run_sampler(spec, audit, budget, progress);
  } else {
    audit.files.push_back({request.transcript, sha256(read_file(request.transcript, limits))});
    audit.findings = assess_recorded(spec, recorded_tally(spec, request.transcript, budget), request.options, budget);
    add_dependence(audit, nullptr);
  }
  // Runs may have taken all of the time.
  Limits rest = limits;
  rest.max_seconds = std::max(budget.seconds_left(), 0.1 * limits.max_seconds);
  describe_spec(audit, spec, rest);
  audit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return audit;
}

StatisticalRun run_audits(std::span<const AuditRequest> requests, const Limits& limits,
                          const StatisticalProgress& progress) {
  StatisticalRun run;
  for (const AuditRequest& request : requests) {
    try {
      run.audits.push_back(run_audit(request, limits, progress));
    } catch (const SpecError& error) {
      run.errors.push_back(file_error(error));
    } catch (const std::exception& error) {
      run.errors.push_back(file_error(request.spec, error.what()));
    }
  }
  return run;
}

}  // namespace oddsbound
