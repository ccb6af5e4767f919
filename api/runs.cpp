// Verdicts, levels, audits and tuning (api.h).
#include <cmath>

#include "api/api.h"
#include "api/specs.h"
#include "app/decide_claim.h"
#include "app/exhaustive.h"
#include "app/new_spec.h"
#include "app/statistical.h"
#include "app/tune.h"
#include "app/verify.h"
#include "audits/plan.h"
#include "base/errors.h"

namespace oddsbound::api {

namespace {

// Curves and figures need an analysis, which `analyze` always makes.
VerifyOptions consistent(VerifyOptions options, bool claims) {
  options.decide_claims = claims;
  options.analysis = options.analysis || !claims;
  options.tradeoffs = options.tradeoffs && options.analysis;
  options.figures = options.figures && options.analysis;
  return options;
}

Report evaluated(const Spec& spec, const VerifyOptions& options, bool claims, const Context& context) {
  Report report = Report::of_this_program(claims ? Report::Kind::kSpecs : Report::Kind::kLevels);
  auto result = as_expected(spec.file, [&] {
    Limits limits = context.limits;
    if (context.progress) limits.told = [&](const std::string& at) { context.progress(1, 1, spec.name + ": " + at); };
    Budget budget(limits);
    const double begun = app::processor_seconds();
    SpecResult measured = evaluate(spec, budget, consistent(options, claims));
    if (options.timings) measured.processor_seconds = app::processor_seconds() - begun;
    return measured;
  });
  if (!result) {
    report.errors.push_back(result.error());
    return report;
  }
  for (const Disagreement& disagreement : result->disagreements) report.errors.push_back(disagreement.error);
  report.specs.push_back(std::move(*result));
  return report;
}

StatisticalProgress audit_progress(const Context& context) {
  if (!context.progress) return {};
  return
      [&context](const std::string& name, std::uint64_t runs, std::uint64_t planned, std::optional<double> evidence) {
        context.progress(runs, planned, evidence ? name + ", log evidence " + std::to_string(*evidence) : name);
      };
}

// A function as a sampler. Its outputs are checked before they are counted.
class CalledSampler final : public Sampler {
 public:
  CalledSampler(SamplerFunction draw, std::uint64_t outputs) : draw_(std::move(draw)), outputs_(outputs) {}
  void draw(std::uint64_t x, RandomSource& source, std::span<std::uint64_t> output) const override {
    output[0] = draw_(x, source);
    if (output[0] < outputs_) return;
    throw ProgramError("the sampler drew output number " + std::to_string(output[0]) + " of " +
                       std::to_string(outputs_) + " for input number " + std::to_string(x));
  }

 private:
  SamplerFunction draw_;
  std::uint64_t outputs_;
};

Report report_of(Expected<AuditResult> result) {
  Report report = Report::of_this_program(Report::Kind::kStatistical);
  if (result) {
    report.audits.push_back(std::move(*result));
  } else {
    report.errors.push_back(result.error());
  }
  return report;
}

// sampler: makes the sampler of the request within a budget; may return an empty one.
template <typename MakeSampler>
Report audited(const Spec& spec, const AuditRequest& request, MakeSampler sampler, const Context& context) {
  AuditRequest named = request;
  if (named.spec.empty()) named.spec = spec.file;
  return report_of(as_expected(spec.file, [&] {
    Budget budget(context.limits);
    return audit_spec(spec, named, sampler(named, budget), budget, audit_progress(context));
  }));
}

std::string function_name(const AuditRequest& request) { return request.function.empty() ? "given" : request.function; }

Expected<TuneResult> tuned(const std::shared_ptr<const JsonDocument>& document, const std::string& directory,
                           const TuneRequest& request, const Context& context) {
  return as_expected(document->file(), [&] {
    Limits limits = context.limits;
    const std::unique_ptr<TaskScope> scope = begin_scope("tune", document->file(), limits);
    Budget budget(limits);
    return app::tune(VariedSpec(document, directory, request.parameter), request, budget, context.progress);
  });
}

}  // namespace

Expected<TuneResult> tune(const File& file, const TuneRequest& request, const Context& context) {
  const auto document = as_expected(file.path, [&] { return read_document_of(file.path, context.limits); });
  return document ? tuned(*document, directory_of(file.path), request, context) : document.error();
}

Expected<TuneResult> tune(const Text& text, const TuneRequest& request, const Context& context) {
  using Document = std::shared_ptr<const JsonDocument>;
  const auto document = as_expected(
      text.name, [&]() -> Document { return std::make_shared<JsonDocument>(text.name, text.text, text.files); });
  return document ? tuned(*document, text.folder, request, context) : document.error();
}

Expected<NewSpec> new_spec(const NewSpecRequest& request, const Context& context) {
  return as_expected(request.table, [&] {
    Limits limits = context.limits;
    if (context.progress)
      limits.told = [&](const std::string& at) { context.progress(1, 1, request.table + ": " + at); };
    Budget budget(limits);
    return app::new_spec(request, budget);
  });
}

Report verify(const Spec& spec, const VerifyOptions& options, const Context& context) {
  return evaluated(spec, options, true, context);
}

Report verify(std::span<const std::string> files, const VerifyOptions& options, const Context& context) {
  return evaluate_files(files, consistent(options, true), context);
}

Report analyze(const Spec& spec, const VerifyOptions& options, const Context& context) {
  return evaluated(spec, options, false, context);
}

Report analyze(std::span<const std::string> files, const VerifyOptions& options, const Context& context) {
  return evaluate_files(files, consistent(options, false), context);
}

Report audit(const Spec& spec, SamplerFunction sampler, const AuditRequest& request, const Context& context) {
  if (!spec.model.channel || !spec.model.channel->factors().empty()) {
    Report report = Report::of_this_program(Report::Kind::kStatistical);
    report.errors.push_back(file_error(spec.file, "a function is audited for a mechanism with a list of outputs"));
    return report;
  }
  auto called = std::make_shared<CalledSampler>(std::move(sampler), spec.model.channel->outputs());
  const auto made = [&](AuditRequest& named, Budget&) {
    named.function = function_name(request);
    return AuditedSampler{nullptr, sampler_runner(spec.model.channel, std::move(called), request.options.seed)};
  };
  return audited(spec, request, made, context);
}

Report audit_batches(const Spec& spec, BatchSamplerFunction sampler, const AuditRequest& request,
                     const Context& context) {
  const ChannelPtr& channel = spec.model.channel;
  if (!channel || channel->outputs() == UINT64_MAX || !spec.model.domain.is_countable()) {
    Report report = Report::of_this_program(Report::Kind::kStatistical);
    report.errors.push_back(file_error(spec.file, "a function is audited where inputs and outputs have numbers"));
    return report;
  }
  const auto made = [&](AuditRequest& named, Budget& budget) {
    named.function = function_name(request);
    return sampler_of(spec, named, std::move(sampler), budget);
  };
  return audited(spec, request, made, context);
}

Report audit(const Spec& spec, const AuditRequest& request, const Context& context) {
  return audited(
      spec, request, [](const AuditRequest&, Budget&) { return AuditedSampler{}; }, context);
}

Report audit(std::span<const AuditRequest> requests, const Context& context) {
  return run_audits(requests, context.limits, audit_progress(context));
}

Expected<AuditRequest> read_plan(const File& file, const Context& context) {
  return as_expected(file.path, [&] {
    Budget budget(context.limits);
    return audits::read_plan(file.path, budget);
  });
}

Expected<RunPlan> plan_runs(const AuditRequest& request, double margin, const Context& context) {
  return as_expected(request.spec, [&] {
    if (!(margin > 0) || std::isinf(margin)) throw ModelError("runs are planned for a margin above 0, and finite");
    return plan_audit(request, margin, context.limits);
  });
}

Expected<std::string> audit_shard(const AuditRequest& request, const Context& context) {
  return as_expected(request.spec, [&] { return run_part(request, context.limits, audit_progress(context)); });
}

Expected<std::string> audit_shard(const AuditRequest& request, BatchSamplerFunction sampler, const Context& context) {
  AuditRequest named = request;
  named.function = function_name(request);
  return as_expected(request.spec,
                     [&] { return run_part(named, context.limits, audit_progress(context), std::move(sampler)); });
}

Report merge_shards(std::span<const std::string> files, const Context& context) {
  return report_of(as_expected(files.empty() ? "" : files[0], [&] { return merge_parts(files, context.limits); }));
}

Report audit_exhaustively(std::span<const std::string> files, const ExhaustiveOptions& options,
                          const Context& context) {
  return audit_files(files, options, context.limits);
}

}  // namespace oddsbound::api
