// The commands as functions: verdicts and levels, tuning, new specs, audits, samples, estimates, searches (api.h).
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>

#include "api/api.h"
#include "app/compose.h"
#include "app/decide_claim.h"
#include "app/estimates.h"
#include "app/exhaustive.h"
#include "app/new_spec.h"
#include "app/regression.h"
#include "app/samples.h"
#include "app/scope.h"
#include "app/search.h"
#include "app/split.h"
#include "app/statistical.h"
#include "app/theory.h"
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
    if (options.row_tolerance) throw ModelError("a row tolerance is for files, and this spec was read without it");
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

Report evaluated_text(const Text& text, const VerifyOptions& options, bool claims, const Context& context) {
  const auto spec = within(context.limits, text.name, [&](Budget& budget) {
    return read_spec_text(text.name, text.folder, text.text, budget, text.files, options.row_tolerance);
  });
  if (!spec) {
    Report report = Report::of_this_program(claims ? Report::Kind::kSpecs : Report::Kind::kLevels);
    report.errors.push_back(spec.error());
    return report;
  }
  VerifyOptions others = options;
  others.row_tolerance.reset();
  return evaluated(*spec, others, claims, context);
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
    add_errors(result.error(), report.errors);
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

Expected<ComposedResult> compose(std::span<const Spec> specs, const ComposeOptions& options, const Context& context) {
  return within(context.limits, specs.empty() ? "" : specs[0].file,
                [&](Budget& budget) { return app::compose(specs, options, budget); });
}

Expected<ComposedResult> compose(std::span<const std::string> files, const ComposeOptions& options,
                                 const Context& context) {
  std::vector<Spec> specs;
  for (const std::string& file : files) {
    if (context.progress) context.progress(specs.size(), files.size(), file);
    Expected<Spec> spec = read(File{file}, context);
    if (!spec) return spec.error();
    specs.push_back(std::move(*spec));
  }
  return compose(specs, options, context);
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

Report verify(std::span<const std::string> files, const VerifyOptions& options, const Context& context,
              ResultCache* cache) {
  return evaluate_files(files, consistent(options, true), context, cache);
}

Report analyze(const Spec& spec, const VerifyOptions& options, const Context& context) {
  return evaluated(spec, options, false, context);
}

Report analyze(std::span<const std::string> files, const VerifyOptions& options, const Context& context,
               ResultCache* cache) {
  return evaluate_files(files, consistent(options, false), context, cache);
}

Report verify_text(const Text& text, const VerifyOptions& options, const Context& context) {
  return evaluated_text(text, options, true, context);
}

Report analyze_text(const Text& text, const VerifyOptions& options, const Context& context) {
  return evaluated_text(text, options, false, context);
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
  return within(context.limits, file.path, [&](Budget& budget) { return audits::read_plan(file.path, budget); });
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

// Samples, estimates and searches

namespace {

// The coordinates as indices in the domain.
Marginals marginals_of(const Domain& domain, const EstimateOptions& options) {
  Marginals marginals;
  for (const std::vector<std::string>& names : options.marginals) {
    std::vector<std::size_t>& places = marginals.emplace_back();
    for (const std::string& name : names) {
      const std::size_t place = app::place_of(domain, name);
      if (std::find(places.begin(), places.end(), place) != places.end()) {
        throw ModelError("the coordinate '" + printable(name) + "' is listed twice");
      }
      places.push_back(place);
    }
    if (places.empty()) throw ModelError("an estimate of no coordinates is asked for");
  }
  return marginals;
}

}  // namespace

Expected<InputList> find_input(const Spec& spec, const Text& values) {
  return as_expected(spec.file, [&] {
    InputList one(spec.model.domain);
    one.add(spec.model.domain, read_typed_input(values.name, values.text, spec.model.domain, 0, spec.mechanism.unread));
    return one;
  });
}

Expected<InputList> read_inputs(const Spec& spec, const Text& table, const Context& context) {
  return within(context.limits, spec.file, [&](Budget& budget) {
    return read_input_table(table.name, table.text, spec.model.domain, budget, spec.mechanism.unread, spec.table);
  });
}

Expected<InputList> draw_inputs(const Spec& spec, std::uint64_t count, std::optional<std::uint64_t> seed,
                                const Context& context) {
  return within(context.limits, spec.file, [&](Budget& budget) {
    require_no_symbols(spec, "sampling");
    return inputs_from_prior(spec, count, seed, budget);
  });
}

Expected<bool> sample_in_pieces(const Spec& spec, const InputList& inputs,
                                const std::function<bool(const SampleResult& piece)>& take,
                                const SampleOptions& options, const Context& context) {
  return as_expected(spec.file, [&] {
    require_no_symbols(spec, "sampling");
    return draw_samples(spec, inputs, options, context, take);
  });
}

Expected<SampleResult> sample(const Spec& spec, const InputList& inputs, const SampleOptions& options,
                              const Context& context) {
  std::optional<SampleResult> whole;
  const auto add = [&](const SampleResult& piece) {
    if (!whole) {
      whole = piece;
      return true;
    }
    std::visit(
        [&](auto& outputs) {
          const auto& more = std::get<std::decay_t<decltype(outputs)>>(piece.outputs);
          outputs.insert(outputs.end(), more.begin(), more.end());
        },
        whole->outputs);
    return true;
  };
  const Expected<bool> done = sample_in_pieces(spec, inputs, add, options, context);
  if (!done) return done.error();
  return *std::move(whole);
}

Expected<bool> sample_numbers(const Spec& spec, const InputList& inputs, std::span<std::uint64_t> numbers,
                              const SampleOptions& options, const Context& context) {
  return as_expected(spec.file, [&] {
    require_no_symbols(spec, "sampling");
    draw_numbers(spec, inputs, options, context, numbers);
    return true;
  });
}

Expected<SampledParts> sampled_parts(const Spec& spec, const Context& context) {
  return within(context.limits, spec.file, [&](Budget& budget) {
    if (!spec.model.channel) {
      throw ModelError("the outputs are " + spec.mechanism.outputs_word() + ": they have no numbers");
    }
    SampledParts sampled;
    for (const Factor& factor : spec.model.channel->factors()) {
      sampled.parts.push_back({output_labels(*factor.channel, budget), factor.coordinates});
    }
    sampled.tuples = !sampled.parts.empty();
    if (!sampled.tuples) {
      sampled.parts.push_back({output_labels(*spec.model.channel, budget), every_coordinate(spec.model.domain)});
    }
    return sampled;
  });
}

namespace {

// Refuses before anything is computed.
void require_theory(const Spec& spec, const EstimateOptions& options) {
  if (!options.theory) return;
  if (!options.marginals.empty()) throw ModelError("the bounds of the papers are about all coordinates, not marginals");
  app::theory_of(spec, 1);
}

EstimateResult with_theory(const Spec& spec, const EstimateOptions& options, EstimateResult result) {
  if (options.theory) result.theory = app::theory_of(spec, result.outputs);
  return result;
}

}  // namespace

Expected<EstimateResult> estimate(const Spec& spec, const Text& outputs, const EstimateOptions& options,
                                  const Context& context) {
  return within(context.limits, spec.file, [&](Budget& budget) {
    require_no_symbols(spec, "estimating");
    require_theory(spec, options);
    const Marginals marginals = marginals_of(spec.model.domain, options);
    if (spec.mechanism.unlisted) throw ModelError("the outputs are unlisted: nothing is estimated from them");
    if (!spec.model.channel) {
      if (!marginals.empty())
        throw ModelError("the outputs are continuous: only the means of all coordinates are estimated");
      const std::size_t copies = spec.mechanism.continuous->copies();
      return with_theory(
          spec, options,
          app::estimate(spec, read_vector_table(outputs.name, outputs.text, spec.model.domain, copies, budget)));
    }
    return with_theory(spec, options,
                       app::estimate(spec, read_output_table(outputs.name, outputs.text, *spec.model.channel, budget),
                                     budget, marginals));
  });
}

Expected<LeastSquaresResult> least_squares(const Spec& spec, const Text& outputs, const EstimateOptions& options,
                                           const Context& context) {
  return within(context.limits, spec.file, [&](Budget& budget) {
    require_no_symbols(spec, "estimating");
    return app::least_squares(spec, outputs.name, outputs.text, options, budget);
  });
}

namespace {

// A total variation distance: at most 1 would be too strict, since unbiased estimates may be farther off.
Number distance_of(const std::string& text) {
  const auto refuse = [&] {
    throw ModelError("found '" + printable(text, 40) +
                     "' as a total variation distance, expected a rational number above 0, such as 1/20");
  };
  Number distance(0);
  try {
    distance = parse_number(text);
  } catch (const NumberError&) {
    refuse();
  }
  if (!distance.is_rational() || distance.sign() <= 0) refuse();
  return distance;
}

}  // namespace

Expected<EstimateResult> estimate_error(const Spec& spec, std::uint64_t outputs, const EstimateOptions& options,
                                        const Context& context) {
  return within(context.limits, spec.file, [&](Budget& budget) {
    require_no_symbols(spec, "estimating");
    if (options.theory && !options.people_for.empty()) {
      throw ModelError(
          "--theory states bounds for a number of outputs, and --people-for prints its own: leave one out");
    }
    require_theory(spec, options);
    if (spec.mechanism.continuous && options.theory) return with_theory(spec, options, app::plan(spec, outputs));
    if (!spec.model.channel) {
      throw ModelError((options.people_for.empty() ? "--samples" : "--people-for") +
                       std::string(" needs an exact channel, and the outputs are ") + spec.mechanism.outputs_word());
    }
    const Marginals marginals = marginals_of(spec.model.domain, options);
    if (options.people_for.empty()) return with_theory(spec, options, plan(spec, outputs, budget, marginals));
    if (outputs != 0) throw ModelError("a number of outputs and a distance to plan for are given: leave one out");
    return plan_for(spec, distance_of(options.people_for), budget, marginals);
  });
}

Expected<SplitResult> split(const SplitRequest& request) {
  return as_expected("split", [&] {
    const Budget budget{Limits{}};  // exact numbers ask it
    return app::split(request);
  });
}

Expected<SearchResult> search(const std::string& property, const SearchOptions& options, const Context& context) {
  return as_expected("search", [&] {
    const Property* found = find_property(property);
    if (found == nullptr) {
      std::vector<std::string> known;
      for (const Property& one : properties()) known.push_back(one.name);
      const std::string hint = suggestion(property, known);
      throw ModelError((property.empty() ? "no property is named" : "unknown property '" + property + "'") + " (" +
                       (hint.empty() ? "known: " + listing(known) : hint) + ")");
    }
    // The only time limit is the solver's, for each size.
    Limits limits = context.limits;
    limits.max_seconds = 1e9;
    const std::unique_ptr<TaskScope> scope = begin_scope("search", property, limits);
    Budget budget(limits);
    return app::search(*found, options, budget, context.progress);
  });
}

}  // namespace oddsbound::api
