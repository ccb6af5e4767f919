// The public interface: each function calls the one of its name in api.h, and turns the result into public values.
#include "api/interface.h"

#include "reports/levels.h"
#include "verifier/model/prior.h"

namespace oddsbound::interface {

struct Spec::State {
  specs::Spec spec;
};
struct InputList::State {
  model::InputList inputs;
};
struct Lock::State {
  reports::Lock lock;
};

namespace {

Spec public_spec(specs::Spec spec) { return Spec(std::make_shared<const Spec::State>(Spec::State{std::move(spec)})); }

InputList public_inputs(model::InputList inputs) {
  return InputList(std::make_shared<const InputList::State>(InputList::State{std::move(inputs)}));
}

Lock public_lock(reports::Lock lock) { return Lock(std::make_shared<const Lock::State>(Lock::State{std::move(lock)})); }

std::string text_of_label(const Label& label) {
  if (const auto* values = std::get_if<std::vector<std::string>>(&label)) return label_of_tuple(*values);
  return std::get<std::string>(label);
}

NamedText public_text(const std::string& name, const std::string& text) { return {name, text}; }

ClaimResult public_claim(const reports::ClaimResult& claim) {
  ClaimResult result;
  result.name = claim.name;
  result.notion = claim.notion;
  result.expect_holds = claim.expect_holds;
  result.verdict = claim.verdict == reports::Verdict::kHolds     ? Verdict::kHolds
                   : claim.verdict == reports::Verdict::kRefuted ? Verdict::kRefuted
                                                                 : Verdict::kUndecided;
  if (const auto& shown = claim.decision.witness) {
    result.decision.witness =
        Witness{shown->outputs, text_of_label(shown->from), text_of_label(shown->to), shown->p_from,
                shown->p_to,    shown->coordinate};
  }
  result.reason = claim.reason;
  return result;
}

SpecResult public_result(const reports::SpecResult& spec) {
  SpecResult result;
  result.file = spec.file;
  result.name = spec.name;
  for (const reports::ClaimResult& claim : spec.claims) result.claims.push_back(public_claim(claim));
  for (const reports::Quantity& quantity : quantities(spec)) {
    if (quantity.is_bound || !quantity.beside.empty()) continue;
    result.levels.push_back(
        {quantity.notion->name, quantity.coordinate, quantity.level.at_least, quantity.level.at_most()});
  }
  if (spec.certificate) result.certificate = to_json(*spec.certificate);
  if (spec.claim_certificate) {
    result.claim_certificate = public_text(spec.claim_certificate->file_name, to_json(*spec.claim_certificate));
  }
  for (const reports::NamedText& witness : spec.witness_specs) {
    result.witness_specs.push_back(public_text(witness.name, witness.text));
  }
  return result;
}

SampleResult public_sample(reports::SampleResult drawn) {
  auto result = wrapped<SampleResult>(drawn);
  if (auto* counted = std::get_if<std::vector<reports::DrawnOutput>>(&drawn.outputs)) {
    std::vector<DrawnOutput> outputs;
    for (const reports::DrawnOutput& output : *counted) outputs.push_back({output.output, output.count});
    result.outputs = std::move(outputs);
  } else if (auto* labels = std::get_if<std::vector<std::string>>(&drawn.outputs)) {
    result.outputs = std::move(*labels);
  } else {
    result.outputs = std::move(std::get<std::vector<std::vector<double>>>(drawn.outputs));
  }
  return result;
}

EstimateResult public_estimates(reports::EstimateResult found) {
  std::vector<Estimate> estimates;
  const auto add = [&](const std::vector<reports::Estimate>& some) {
    for (const reports::Estimate& one : some) {
      estimates.push_back({one.target, one.exact, one.value, one.standard_error});
    }
  };
  add(found.estimates);
  for (const MarginalEstimates& marginal : found.marginals) add(marginal.estimates);
  const int exit_status = found.exit_status();
  auto result = wrapped<EstimateResult>(std::move(found), exit_status);
  result.estimates = std::move(estimates);
  return result;
}

TuneResult public_tune(reports::TuneResult found) {
  std::optional<TunedValue> holds, fails;
  if (const auto index = found.holds_at()) holds = found.points[*index].value;
  if (const auto index = found.fails_at()) fails = found.points[*index].value;
  const int exit_status = found.exit_status();
  auto result = wrapped<TuneResult>(std::move(found), exit_status);
  if (holds) result.holds_at = holds->number;
  if (fails) result.fails_at = fails->number;
  result.logarithm = (holds && holds->logarithm) || (fails && fails->logarithm);
  return result;
}

Composition public_composition(reports::ComposedResult found) {
  const int exit_status = found.exit_status();
  std::optional<Level> epsilon;
  std::optional<Number> delta;
  if (const auto& level = found.epsilon_at_delta.found) epsilon = level->at_most();
  if (const auto& least = found.delta_at_epsilon.found) delta = least->at_most();
  auto result = wrapped<Composition>(std::move(found), exit_status);
  result.epsilon = std::move(epsilon);
  result.delta = std::move(delta);
  return result;
}

Comparison public_comparison(DesignComparison found) {
  const int exit_status = found.exit_status();
  std::vector<FileError> errors = found.errors;
  auto result = wrapped<Comparison>(std::move(found), exit_status);
  result.errors = std::move(errors);
  return result;
}

}  // namespace

Report public_report(reports::Report found) {
  std::vector<SpecResult> specs;
  for (const reports::SpecResult& spec : found.specs) specs.push_back(public_result(spec));
  std::vector<AuditResult> audits;
  for (const reports::AuditResult& audit : found.audits) audits.push_back({audit.file, audit.name, audit.verdict()});
  std::vector<FileError> errors = found.errors;
  const int exit_status = found.exit_status();
  auto report = wrapped<Report>(std::move(found), exit_status);
  report.specs = std::move(specs);
  report.audits = std::move(audits);
  report.errors = std::move(errors);
  return report;
}

// Values

const std::string& Spec::name() const { return state_->spec.name; }
const std::string& Spec::file() const { return state_->spec.file; }
std::size_t Spec::claims() const { return state_->spec.claims.size(); }
const std::vector<std::string>& Spec::notes() const { return state_->spec.notes; }

std::vector<Coordinate> Spec::coordinates() const {
  const model::Domain& domain = state_->spec.model.domain;
  std::vector<Coordinate> coordinates;
  for (std::size_t i = 0; i < domain.size(); ++i) {
    const model::Coordinate& one = domain.coordinate(i);
    coordinates.push_back({one.name, one.values.listed(), one.is_public});
  }
  return coordinates;
}

InputList::InputList(const std::vector<std::uint64_t>& numbers) : InputList(public_inputs(model::InputList(numbers))) {}
std::size_t InputList::size() const { return state_->inputs.size(); }

int Result::exit_status() const { return state_ ? state_->exit_status : 0; }
std::optional<std::string> Result::render(std::string_view format, const RenderOptions& options) const {
  return state_ ? state_->render(format, options) : std::nullopt;
}

std::string Lock::text() const { return lock_text(state_->lock); }

// Specs

Expected<Spec> read(const File& file, const Context& context) { return mapped(api::read(file, context), public_spec); }

Expected<Spec> read(const Text& text, const Context& context) { return mapped(api::read(text, context), public_spec); }

Expected<Spec> build(const std::string& name, const Domain& domain, const std::vector<std::string>& outputs,
                     const std::vector<std::vector<Number>>& rows, const std::vector<Number>& prior,
                     const Context& context) {
  const auto model = api::within(context.limits, name, [&](Budget& budget) {
    std::vector<model::Coordinate> coordinates;
    for (const Coordinate& one : domain.coordinates) {
      coordinates.push_back({one.name, one.values, one.is_public});
    }
    Model made{model::Domain(std::move(coordinates)), nullptr, std::nullopt};
    if (!prior.empty()) made.prior = Prior::from_weights(made.domain, prior, budget);
    return made;
  });
  if (!model) return model.error();
  return mapped(api::build(name, model->domain, outputs, rows, model->prior, context), public_spec);
}

std::optional<FileError> add_claim(Spec& spec, const std::string& notion, const Arguments& fields, bool expect_holds) {
  model::Arguments arguments;
  for (const auto& [field, value] : fields.fields()) {
    std::visit([&arguments, &field = field](const auto& one) { arguments.set(field, one); }, value);
  }
  specs::Spec changed = spec.state().spec;
  if (auto error = api::add_claim(changed, notion, arguments, expect_holds)) return error;
  spec = public_spec(std::move(changed));
  return std::nullopt;
}

// Verdicts and levels

Report verify(const Spec& spec, const VerifyOptions& options, const Context& context) {
  return public_report(api::verify(spec.state().spec, options, context));
}

Report verify(std::span<const std::string> files, const VerifyOptions& options, const Context& context) {
  return public_report(api::verify(files, options, context));
}

Report analyze(const Spec& spec, const VerifyOptions& options, const Context& context) {
  return public_report(api::analyze(spec.state().spec, options, context));
}

Report analyze(std::span<const std::string> files, const VerifyOptions& options, const Context& context) {
  return public_report(api::analyze(files, options, context));
}

// Audits

Report audit(const Spec& spec, SamplerFunction sampler, const AuditRequest& request, const Context& context) {
  return public_report(api::audit(spec.state().spec, std::move(sampler), request, context));
}

Report audit_batches(const Spec& spec, BatchSamplerFunction sampler, const AuditRequest& request,
                     const Context& context) {
  return public_report(api::audit_batches(spec.state().spec, std::move(sampler), request, context));
}

Report audit(const Spec& spec, const AuditRequest& request, const Context& context) {
  return public_report(api::audit(spec.state().spec, request, context));
}

Report audit(std::span<const AuditRequest> requests, const Context& context) {
  return public_report(api::audit(requests, context));
}

Expected<AuditRequest> read_plan(const File& file, const Context& context) { return api::read_plan(file, context); }

Expected<RunPlan> plan_runs(const AuditRequest& request, double margin, const Context& context) {
  return mapped(api::plan_runs(request, margin, context), [](reports::RunPlan plan) {
    const std::uint64_t samples = plan.samples();
    const int exit_status = plan.exit_status();
    auto result = wrapped<RunPlan>(std::move(plan), exit_status);
    result.samples = samples;
    return result;
  });
}

Expected<std::string> audit_shard(const AuditRequest& request, const Context& context) {
  return api::audit_shard(request, context);
}

Expected<std::string> audit_shard(const AuditRequest& request, BatchSamplerFunction sampler, const Context& context) {
  return api::audit_shard(request, std::move(sampler), context);
}

Report merge_shards(std::span<const std::string> files, const Context& context) {
  return public_report(api::merge_shards(files, context));
}

Report audit_exhaustively(std::span<const std::string> files, const ExhaustiveOptions& options,
                          const Context& context) {
  return public_report(api::audit_exhaustively(files, options, context));
}

// Samples and estimates

Expected<InputList> find_input(const Spec& spec, const Text& values) {
  return mapped(api::find_input(spec.state().spec, values), public_inputs);
}

Expected<InputList> read_inputs(const Spec& spec, const Text& table, const Context& context) {
  return mapped(api::read_inputs(spec.state().spec, table, context), public_inputs);
}

Expected<InputList> draw_inputs(const Spec& spec, std::uint64_t count, std::optional<std::uint64_t> seed,
                                const Context& context) {
  return mapped(api::draw_inputs(spec.state().spec, count, seed, context), public_inputs);
}

Expected<SampleResult> sample(const Spec& spec, const InputList& inputs, const SampleOptions& options,
                              const Context& context) {
  return mapped(api::sample(spec.state().spec, inputs.state().inputs, options, context), public_sample);
}

Expected<bool> sample_in_pieces(const Spec& spec, const InputList& inputs,
                                const std::function<bool(const SampleResult& piece)>& take,
                                const SampleOptions& options, const Context& context) {
  return api::sample_in_pieces(
      spec.state().spec, inputs.state().inputs,
      [&](const reports::SampleResult& piece) { return take(public_sample(piece)); }, options, context);
}

Expected<bool> sample_numbers(const Spec& spec, const InputList& inputs, std::span<std::uint64_t> numbers,
                              const SampleOptions& options, const Context& context) {
  return api::sample_numbers(spec.state().spec, inputs.state().inputs, numbers, options, context);
}

Expected<SampledParts> sampled_parts(const Spec& spec, const Context& context) {
  return mapped(api::sampled_parts(spec.state().spec, context), [](const api::SampledParts& sampled) {
    SampledParts parts{sampled.tuples, {}};
    for (const api::SampledPart& part : sampled.parts) parts.parts.push_back({part.labels, part.coordinates});
    return parts;
  });
}

Expected<EstimateResult> estimate(const Spec& spec, const Text& outputs, const EstimateOptions& options,
                                  const Context& context) {
  return mapped(api::estimate(spec.state().spec, outputs, options, context), public_estimates);
}

Expected<EstimateResult> estimate_error(const Spec& spec, std::uint64_t outputs, const EstimateOptions& options,
                                        const Context& context) {
  return mapped(api::estimate_error(spec.state().spec, outputs, options, context), public_estimates);
}

Expected<Result> least_squares(const Spec& spec, const Text& outputs, const EstimateOptions& options,
                               const Context& context) {
  return mapped(api::least_squares(spec.state().spec, outputs, options, context),
                [](LeastSquaresResult found) { return wrapped<Result>(std::move(found)); });
}

// Other commands

Expected<Result> split(const SplitRequest& request) {
  return mapped(api::split(request), [](SplitResult found) { return wrapped<Result>(std::move(found)); });
}

Expected<NewSpec> new_spec(const NewSpecRequest& request, const Context& context) {
  return mapped(api::new_spec(request, context), [](reports::NewSpec made) {
    return NewSpec{std::move(made.text), std::move(made.notes)};
  });
}

Expected<SearchResult> search(const std::string& property, const SearchOptions& options, const Context& context) {
  return mapped(api::search(property, options, context), [](reports::SearchResult found) {
    std::vector<NamedText> specs;
    for (const FoundSpec& spec : found.specs) specs.push_back({spec.name, spec.text});
    const int exit_status = found.exit_status();
    auto result = wrapped<SearchResult>(std::move(found), exit_status);
    result.specs = std::move(specs);
    return result;
  });
}

Expected<TuneResult> tune(const File& file, const TuneRequest& request, const Context& context) {
  return mapped(api::tune(file, request, context), public_tune);
}

Expected<TuneResult> tune(const Text& text, const TuneRequest& request, const Context& context) {
  return mapped(api::tune(text, request, context), public_tune);
}

Expected<Composition> compose(std::span<const std::string> files, const ComposeOptions& options,
                              const Context& context) {
  return mapped(api::compose(files, options, context), public_composition);
}

Expected<Composition> compose(std::span<const Spec> specs, const ComposeOptions& options, const Context& context) {
  std::vector<specs::Spec> composed;
  for (const Spec& spec : specs) composed.push_back(spec.state().spec);
  return mapped(api::compose(composed, options, context), public_composition);
}

Comparison compare(std::span<const std::string> files, std::uint64_t samples, const Context& context) {
  return public_comparison(app::compare(files, samples, context));
}

Comparison compare(std::span<const Spec> specs, std::uint64_t samples, const Context& context) {
  std::vector<specs::Spec> compared;
  for (const Spec& spec : specs) compared.push_back(spec.state().spec);
  return public_comparison(app::compare(compared, samples, context));
}

// The privacy lock

Expected<Lock> lock(const LockedFiles& specs, const LockOptions& options, const Context& context) {
  return mapped(api::lock(specs, options, context), public_lock);
}

Expected<Lock> read_lock(const Text& text, const Context& context) {
  return mapped(api::read_lock(text, context), public_lock);
}

Checks check(const Lock& lock, const LockedFiles& specs, const LockOptions& options, const Context& context) {
  const reports::Lock& locked = lock.state().lock;
  reports::Checks found = api::check(locked, api::measure(specs, locked, options, context), options);
  std::vector<Check> list;
  for (const reports::Check& one : found.list) {
    list.push_back({one.suite, one.title, static_cast<Outcome>(one.outcome), one.message});
  }
  const int exit_status = found.exit_status;
  auto checks = wrapped<Checks>(std::move(found), exit_status);
  checks.list = std::move(list);
  return checks;
}

std::optional<FileError> renew(Lock& lock, const LockedFiles& specs, const LockOptions& options,
                               const Context& context) {
  reports::Lock changed = lock.state().lock;
  if (auto error = api::renew(changed, api::measure(specs, options, context), options)) return error;
  lock = public_lock(std::move(changed));
  return std::nullopt;
}

Expected<std::vector<std::string>> accept(Lock& lock, const LockedFiles& specs, const std::string& reason,
                                          const LockOptions& options, const Context& context) {
  reports::Lock changed = lock.state().lock;
  auto changes = api::accept(changed, api::measure(specs, options, context), reason, options);
  if (changes) lock = public_lock(std::move(changed));
  return changes;
}

std::optional<FileError> upgrade(Lock& lock, const LockedFiles& specs, const std::string& reason,
                                 const LockOptions& options, const Context& context) {
  reports::Lock changed = lock.state().lock;
  if (auto error = api::upgrade(changed, api::measure(specs, changed, options, context), reason)) return error;
  lock = public_lock(std::move(changed));
  return std::nullopt;
}

// Reports

std::vector<std::string> formats_of_reports() { return api::formats_of_reports(); }
std::vector<std::string> formats_of_checks() { return api::formats_of_checks(); }

Expected<Report> read_report(const Text& json, const Context& context) {
  return mapped(api::read_report(json, context), public_report);
}

}  // namespace oddsbound::interface
