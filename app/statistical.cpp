#include "app/statistical.h"

#include <algorithm>
#include <chrono>

#include "app/decide_claim.h"
#include "app/scope.h"
#include "audits/curve.h"
#include "audits/external.h"
#include "base/errors.h"
#include "reports/claim_words.h"
#include "specs/collected.h"
#include "specs/reading.h"
#include "specs/source_file.h"
#include "verifier/exact/decimal.h"
#include "verifier/model/product_channel.h"
#include "verifier/notions/approximate.h"
#include "verifier/notions/privacy_curve.h"
#include "verifier/notions/table.h"

namespace oddsbound::app {

namespace {

Tally recorded_tally(const Spec& spec, const std::string& file, Budget& budget) {
  if (!outputs_are_counted(spec)) {
    throw ModelError("recorded runs are audited for outputs that can be counted, of at most " +
                     std::to_string(kMostInputs) + " inputs");
  }
  Tally tally(spec.model.domain.inputs(), spec.model.channel->outputs());
  const std::string text = read_file(file, budget.limits());
  for (const RecordedRun& run : read_transcript(file, text, spec.model.domain, *spec.model.channel, budget)) {
    tally.row(run.input)[join(*spec.model.channel, run.output)] += run.count;
  }
  return tally;
}

AuditedLevel audited_level(const LevelFinding& found, const Spec& spec) {
  AuditedLevel level;
  const Question& question = found.question;
  const bool implied = !question.implied.empty();
  if (!implied) level.notion = question.notion;
  level.about = implied ? question.implied : question.about;
  level.delta_at = question.at;
  level.at_least = found.bound;
  level.at_most = found.upper;
  level.ceiling = found.ceiling;
  level.error = found.alpha;
  level.any_time = found.any_time;
  level.how = found.how;
  for (const std::uint32_t side : found.game.sides) level.sides.push_back(question.sides[side].party);
  level.only_first = found.game.only_first;
  level.output = found.witness;
  level.score = found.score;
  for (const ClaimFinding& claim : found.claims) {
    const ClaimedValue stated =
        question.bounds_delta() ? ClaimedValue(claim.claimed.delta) : ClaimedValue(claim.claimed.level);
    level.claims.push_back({claim.claimed.claim, stated, claim.claimed.expect_holds, claim.contradicted});
    if (implied) level.claims.back().implied_by = claim_words(undecided_claim(spec, claim.claimed.claim, "")).claim;
  }
  return level;
}

// Runs are distributed over inputs by the needs of all questions. If one of them uses the prior, all bounds depend on
// it.
bool uses_prior(const AuditFindings& findings, const Spec& spec) {
  return findings.tried.has_value() ||
         std::any_of(findings.levels.begin(), findings.levels.end(), [&](const auto& level) {
           if (!level.question.implied.empty()) {
             return std::any_of(level.claims.begin(), level.claims.end(), [&](const ClaimFinding& claim) {
               return spec.claims[claim.claimed.claim].notion->needs_prior;
             });
           }
           const Notion* notion = find_notion(level.question.notion);
           return notion == nullptr || notion->needs_prior;
         });
}

// Adds the exact levels of the stated channel, as far as time permits.
void add_exact(const AuditFindings& findings, const Channel& channel, const Limits& limits,
               std::vector<AuditedLevel>& levels) {
  Budget budget(limits);
  try {
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const ExactAnswer exact = exact_answer(findings.levels[i].question, channel, budget);
      if (exact.level) levels[i].exact = ClaimedValue(*exact.level);
      if (exact.delta) levels[i].exact = ClaimedValue(*exact.delta);
    }
  } catch (const LimitError&) {
    // Levels for which there is no time are omitted.
  }
}

AgreementResult agreement_result(const Agreement& found, const Spec& spec) {
  AgreementResult agreement{found.untested, found.inputs, found.entries, found.power, {}};
  for (const Deviation& deviation : found.deviations) {
    agreement.deviations.push_back({spec.model.domain.tuple(deviation.input),
                                    spec.model.channel->output_label(deviation.output), deviation.count, deviation.runs,
                                    deviation.stated, deviation.interval, deviation.as_a_whole});
  }
  return agreement;
}

// The findings, and the evidence over time of an anytime audit.
struct Audited {
  AuditFindings findings;
  std::vector<AnytimeLevel> history;
};

Audited run_sampler(const Spec& spec, const AuditRequest& request, AuditedSampler sampler, Budget& budget,
                    const StatisticalProgress& progress) {
  // Runs stop at the time limit; their evaluation does not.
  Budget thinking(without_time(budget.limits()));
  Audited audited;
  if (request.until) {
    if (!outputs_are_counted(spec)) {
      throw ModelError("--until is for outputs that can be counted, of at most " + std::to_string(kMostInputs) +
                       " inputs");
    }
    AnytimeResult result =
        audit_until(spec, *sampler.runner, request.options, budget, [&](std::uint64_t runs, double evidence) {
          if (progress) progress(spec.name, runs, request.options.samples, evidence);
        });
    audited = {std::move(result.findings), std::move(result.levels)};
  } else {
    Measurement measured =
        measure(spec, *sampler.runner, request.options, budget, [&](std::uint64_t runs, std::uint64_t planned) {
          if (progress) progress(spec.name, runs, planned, std::nullopt);
        });
    audited.findings = assess(spec, std::move(measured), request.options, thinking);
  }
  add_dependence(request, sampler.watch.get(), audited.findings);
  return audited;
}

std::string why_nothing_was_seen(const DependenceWatch& watch, const AuditFindings& findings) {
  if (watch.counts().pilot.runs + watch.counts().rest.runs > 0) {
    return "too few outputs of one input were asked for at once, in their order, to compare them";
  }
  return findings.runs > 0 ? "the program gives counts, which have no order" : "no runs were completed";
}

}  // namespace

AuditResult audit_result(const AuditRequest& request, const Spec& spec, const AuditFindings& findings,
                         std::vector<AnytimeLevel> history, const Limits& limits) {
  StatisticalAudit audit;
  audit.plan = request.name;
  audit.sampler = {request.program, request.transcript, request.one_process_per_sample, request.function};
  audit.expect = request.expect;
  audit.samples = request.options.samples;
  audit.runs = findings.runs;
  audit.seed = request.options.seed;
  audit.error = request.options.alpha;
  audit.interrupted = findings.interrupted;
  audit.dependence = findings.dependence;
  audit.dependence_untested = findings.dependence_untested;
  audit.dependence_power = findings.dependence_power;
  audit.requests = findings.requests;
  const bool confidential = spec.confidential_prior && uses_prior(findings, spec);
  for (const LevelFinding& level : findings.levels) {
    audit.levels.push_back(audited_level(level, spec));
    audit.levels.back().confidential = confidential;
  }
  if (findings.tried) {
    audit.inputs = ChosenInputs{*findings.tried, spec.model.domain.input_count()};
  } else if (spec.model.channel) {
    add_exact(findings, *spec.model.channel, limits, audit.levels);
  }
  audit.no_upper = findings.no_upper;
  audit.left_out = findings.left_out;
  audit.agreement = agreement_result(findings.agreement, spec);
  audit.history = std::move(history);
  AuditResult result{request.spec, spec.name, request.files, std::move(audit)};
  result.confidential = has_confidential_table(spec);
  result.files.insert(result.files.end(), spec.files.begin(), spec.files.end());
  return result;
}

void add_dependence(const AuditRequest& request, const DependenceWatch* watch, AuditFindings& findings) {
  if (!request.transcript.empty()) {
    findings.dependence_untested = "of recorded runs only the counts are looked at";
  } else if (watch == nullptr) {
    // Runs of the built-in sampler are independent by construction.
    if (!request.program.empty() || !request.function.empty()) {
      findings.dependence_untested =
          findings.tried ? "not all inputs were tried" : "outputs are too many to be counted one by one";
    }
  } else {
    findings.dependence = watch->findings();
    if (!request.one_process_per_sample) findings.requests = watch->compared();
    if (watch->saw_any()) findings.dependence_power = watch->power();
    if (!watch->saw_any()) findings.dependence_untested = why_nothing_was_seen(*watch, findings);
  }
}

namespace {

std::unique_ptr<DependenceWatch> watch_of(const Spec& spec, const AuditRequest& request, Budget& budget) {
  if (!outputs_are_counted(spec)) return nullptr;
  return std::make_unique<DependenceWatch>(*spec.model.channel, alpha_of_dependence(request.options.alpha), budget);
}

}  // namespace

AuditedSampler sampler_of(const Spec& spec, const AuditRequest& request, BatchDraw draw, Budget& budget) {
  AuditedSampler sampler{watch_of(spec, request, budget), nullptr};
  sampler.runner = batch_runner(spec.model.channel, std::move(draw), request.options.seed, sampler.watch.get());
  return sampler;
}

AuditedSampler sampler_of(const Spec& spec, const AuditRequest& request, Budget& budget) {
  if (request.program.empty()) return {nullptr, built_in_runner(spec, request.options.seed)};
  AuditedSampler sampler{watch_of(spec, request, budget), nullptr};
  sampler.runner = external_runner(spec, {request.program, request.program_limits, request.one_process_per_sample},
                                   request.options.seed, sampler.watch.get(), budget);
  return sampler;
}

namespace {

// The bounds, and delta of the stated channel as far as time permits.
AuditedCurve audited_curve(const Spec& spec, const CurveEvidence& evidence, Budget& budget) {
  const Domain& domain = spec.model.domain;
  AuditedCurve curve{domain.tuple(evidence.from), domain.tuple(evidence.to), evidence.runs_from, evidence.runs_to, {}};
  for (const CurveBound& bound : evidence.bounds) {
    const auto outputs = static_cast<std::uint64_t>(std::count(bound.event.begin(), bound.event.end(), true));
    curve.points.push_back({bound.epsilon, bound.at_least, outputs, bound.in_from, bound.in_to, {}, {}});
  }
  try {
    std::vector<Factor> whole{{spec.model.channel, every_coordinate(domain)}};
    const Model model{domain, std::make_shared<const ProductChannel>(domain, std::move(whole)), std::nullopt};
    MeasuredModel subject(model, budget);
    PrivacyCurve stated(subject, neighborhoods(domain, arguments_of_curve(spec)));
    constexpr double kGap = 1e-3;
    constexpr int kDigits = 12;
    for (AuditedDelta& point : curve.points) {
      const NumberBounds delta = stated.delta_at(point.epsilon.exponential(), kGap);
      point.stated_at_least = rounded_decimal(delta.lower, false, kDigits);
      point.stated_at_most = rounded_decimal(delta.upper, true, kDigits);
    }
  } catch (const LimitError&) {
    // Where there is no time, the runs alone are reported.
  }
  return curve;
}

AuditResult audit_curve(const Spec& spec, const AuditRequest& request, AuditedSampler sampler, Budget& budget,
                        const StatisticalProgress& progress) {
  const auto start = std::chrono::steady_clock::now();
  const Limits& limits = budget.limits();
  require_no_symbols(spec, "an audit");
  if (!request.transcript.empty() || request.until || request.options.shards > 1) {
    throw ModelError("a curve is audited by a fixed number of runs of a sampler, in one part");
  }
  if (limits.scopes != nullptr) throw ModelError("a curve is audited by one process, without a checkpoint");
  if (!sampler.runner) sampler = sampler_of(spec, request, budget);
  CurveEvidence evidence = measure_curve(spec, *sampler.runner, request.curve, request.options, budget,
                                         [&](std::uint64_t runs, std::uint64_t planned) {
                                           if (progress) progress(spec.name, runs, planned, std::nullopt);
                                         });
  AuditFindings findings;
  for (const Tally& stage : evidence.stages) findings.runs += stage.total();
  findings.interrupted = evidence.interrupted;
  Limits rest = limits;
  rest.max_seconds = std::max(budget.seconds_left(), 0.1 * limits.max_seconds);
  Budget thinking(rest);
  if (evidence.interrupted) {
    findings.agreement.untested = "the audit was interrupted";
  } else {
    findings.agreement =
        check_agreement(*spec.model.channel, evidence.stages, alpha_of_agreement(request.options.alpha), thinking);
  }
  add_dependence(request, sampler.watch.get(), findings);
  AuditResult result = audit_result(request, spec, findings, {}, rest);
  auto& found = std::get<StatisticalAudit>(result.found);
  if (!evidence.interrupted) found.curve = audited_curve(spec, evidence, thinking);
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace

AuditResult audit_spec(const Spec& spec, const AuditRequest& request, AuditedSampler sampler, Budget& budget,
                       const StatisticalProgress& progress) {
  if (!request.curve.empty()) return audit_curve(spec, request, std::move(sampler), budget, progress);
  const auto start = std::chrono::steady_clock::now();
  const Limits& limits = budget.limits();
  require_no_symbols(spec, "an audit");
  if (request.until && !request.transcript.empty()) throw ModelError("recorded runs cannot be stopped early (--until)");
  AuditRequest described = request;
  Audited audited;
  if (request.transcript.empty()) {
    if (!sampler.runner) sampler = sampler_of(spec, request, budget);
    audited = run_sampler(spec, request, std::move(sampler), budget, progress);
  } else {
    described.files.push_back({request.transcript, sha256(read_file(request.transcript, limits))});
    audited.findings = assess_recorded(spec, recorded_tally(spec, request.transcript, budget), request.options, budget);
    add_dependence(request, nullptr, audited.findings);
  }
  // The runs may have used up the time.
  Limits rest = limits;
  rest.max_seconds = std::max(budget.seconds_left(), 0.1 * limits.max_seconds);
  AuditResult result = audit_result(described, spec, audited.findings, std::move(audited.history), rest);
  auto& found = std::get<StatisticalAudit>(result.found);
  found.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

AuditResult run_audit(const AuditRequest& request, Limits limits, const StatisticalProgress& progress,
                      std::size_t number) {
  const auto start = std::chrono::steady_clock::now();
  // Only the process that starts a program watches its runs.
  if (limits.scopes != nullptr && !request.program.empty() && !limits.scopes->leads()) throw Abandoned();
  Budget reading(limits);
  const Spec spec = read_spec(request.spec, reading);
  const std::unique_ptr<TaskScope> scope =
      begin_scope(std::to_string(number + 1) + ": " + request.spec, digests_of(spec.files), limits);
  if (scope) limits.threads = request.options.threads;
  Budget budget(limits);
  AuditResult result = audit_spec(spec, request, {}, budget, progress);
  std::get<StatisticalAudit>(result.found).seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

RunPlan plan_audit(const AuditRequest& request, double margin, const Limits& limits) {
  if (!request.curve.empty()) throw ModelError("runs are planned for audits of claims, not of a curve");
  Budget budget(limits);
  const Spec spec = read_spec(request.spec, budget);
  ClaimPlans plans = plan_runs(spec, request.options, margin, budget);
  RunPlan result{request.spec, spec.name, margin, kPlannedPower, request.options.alpha, {}, std::move(plans.left_out)};
  for (const PlannedClaim& planned : plans.claims) {
    const ClaimedLevel& claimed = planned.claimed;
    result.claims.push_back(
        {claimed.claim, planned.what, planned.at ? claimed.delta.to_string() : claimed.level.to_string(),
         planned.at ? planned.at->to_string() : "", planned.samples, planned.reason, planned.guessed, planned.allowed,
         planned.violated, depends_on_confidential_table(spec, spec.claims.at(claimed.claim))});
  }
  return result;
}

Report run_audits(std::span<const AuditRequest> requests, const Limits& limits, const StatisticalProgress& progress) {
  Report run = Report::of_this_program(Report::Kind::kStatistical);
  for (const AuditRequest& request : requests) {
    try {
      run.audits.push_back(run_audit(request, limits, progress, static_cast<std::size_t>(&request - requests.data())));
    } catch (const Abandoned&) {
      continue;
    } catch (const std::exception&) {
      add_errors(file_error_in_flight(request.spec), run.errors);
    }
  }
  return run;
}

}  // namespace oddsbound::app
