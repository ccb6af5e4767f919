#include "app/exhaustive.h"

#include <set>

#include "base/errors.h"
#include "reports/part_file.h"
#include "specs/reading.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::app {

namespace {

// An entry of the whole channel, or of a part.
DerivedEntry derived_entry(const Spec& spec, bool whole, const CheckedEntry& entry) {
  DerivedEntry derived{{},
                       std::nullopt,
                       entry.input,
                       entry.output,
                       entry.stated,
                       decimal_bounds(entry.lower).lower,
                       decimal_bounds(entry.upper).upper};
  if (!whole) return derived;
  derived.input = spec.model.domain.tuple(entry.input);
  const Channel& channel = *spec.model.channel;
  if (entry.output < channel.outputs()) derived.output = channel.output_label(entry.output);
  return derived;
}

std::vector<DerivedEntry> derived_entries(const Spec& spec, bool whole, const std::vector<CheckedEntry>& entries) {
  std::vector<DerivedEntry> derived;
  for (const CheckedEntry& entry : entries) derived.push_back(derived_entry(spec, whole, entry));
  return derived;
}

AuditResult audit_spec(const Spec& spec, const ExhaustiveOptions& options, Budget& budget) {
  ExhaustiveAudit audit;
  audit.accepted = options.accept_exceptions;
  if (spec.mechanism.shuffle) {
    audit.reason = "the reports are shuffled with those of other people, whose inputs are not known";
  } else if (!spec.model.channel) {
    audit.reason = "the mechanism's outputs are " + spec.mechanism.outputs_word() +
                   (spec.mechanism.unlisted ? ": its sampler has too many runs to go through"
                                            : ": its sampler has no finite number of runs");
  } else {
    try {
      audit.derived = derivation_of(
          spec, check_exhaustively(*spec.model.channel, *spec.mechanism.sampler_or_rows(), options, budget));
    } catch (const LimitError& error) {
      audit.reason = error.what();
    }
  }
  return {spec.file, spec.name, spec.files, std::move(audit), has_confidential_table(spec)};
}

}  // namespace

Derivation derivation_of(const Spec& spec, const ExhaustiveResult& check) {
  Derivation derived;
  derived.runs = check.runs;
  derived.entries = check.entries;
  derived.parts = check.parts;
  derived.inputs = check.inputs;
  derived.composed = check.composed;
  derived.widest = decimal_bounds(check.widest).upper;
  for (const CheckedChoice& choice : check.choices) {
    derived.choices.push_back({choice.what, choice.by, choice.reason, choice.runs, decimal_bounds(choice.widest).upper,
                               !choice.differs.empty(), derived_entries(spec, false, choice.differs)});
  }
  const bool whole = check.parts == 0;
  derived.differs = derived_entries(spec, whole, check.differs);
  derived.intervals = derived_entries(spec, whole, check.intervals);
  return derived;
}

Report audit_files(std::span<const std::string> files, const ExhaustiveOptions& options, const Limits& limits) {
  Report run = Report::of_this_program(Report::Kind::kExhaustive);
  run.bound = "2^-" + std::to_string(options.bound_bits);
  for (const std::string& file : files) {
    try {
      Budget budget(limits);
      const Spec spec = read_spec(file, budget);
      if (!spec.mechanism.shuffle) require_no_symbols(spec, "an audit");
      run.audits.push_back(audit_spec(spec, options, budget));
    } catch (const std::exception&) {
      add_errors(file_error_in_flight(file), run.errors);
    }
  }
  return run;
}

namespace {

// The hash of everything an audit depends on: the spec file, and what it takes from other files.
std::string hash_of(const Spec& spec, const Limits& limits, Budget& budget) {
  std::string text = read_file(spec.file, limits);
  if (outputs_are_counted(spec)) {
    for (const auto& row : rows_of(*spec.model.channel, budget)) {
      for (const Number& entry : row) text += "\n" + entry.to_string();
    }
  }
  if (spec.mechanism.unlisted) {
    for (const SourceFile& file : spec.files) text += "\n" + file.sha256;
  }
  if (spec.model.prior) {
    for (const Number& weight : spec.model.prior->dense(budget).weights) text += "\n" + weight.to_string();
  }
  return sha256(text);
}

bool equal(const Tally& a, const Tally& b) {
  if (a.rows() != b.rows() || a.outputs() != b.outputs()) return false;
  for (std::uint64_t x = 0; x < a.rows(); ++x) {
    const auto one = a.row(x), other = b.row(x);
    if (!std::equal(one.begin(), one.end(), other.begin())) return false;
  }
  return true;
}

void add_part(AuditPart& sum, const AuditPart& part) {
  const auto fail = [&](const std::string& what) {
    throw SpecError({part.file, 0, 0, ""}, what + " than " + sum.file);
  };
  const AuditOptions &a = sum.request.options, &b = part.request.options;
  if (a.samples != b.samples || a.alpha != b.alpha || a.seed != b.seed || a.all_levels != b.all_levels ||
      a.shards != b.shards || sum.request.program != part.request.program ||
      sum.request.function != part.request.function || sum.version != part.version ||
      sum.request.one_process_per_sample != part.request.one_process_per_sample || sum.spec_hash != part.spec_hash) {
    fail("this is a part of another audit");
  }
  const std::string elsewhere =
      "the pilot went another way (a program that does not follow its seeds cannot be audited in parts)";
  for (std::size_t q = 0; q < sum.measured.evidence.size(); ++q) {
    GameEvidence& into = sum.measured.evidence[q];
    const GameEvidence& from = part.measured.evidence[q];
    if (into.game != from.game || into.planned != from.planned || into.how != from.how ||
        into.pilot_rounds != from.pilot_rounds) {
      fail(elsewhere);
    }
    into.score += from.score;
  }
  std::vector<Tally>& stages = sum.measured.stages;
  for (std::size_t s = 0; s + 1 < stages.size(); ++s) {
    if (!equal(stages[s], part.measured.stages[s])) fail(elsewhere);
  }
  if (!stages.empty()) stages.back() += part.measured.stages.back();
}

}  // namespace

std::string run_part(const AuditRequest& request, const Limits& limits, const StatisticalProgress& progress,
                     BatchDraw draw) {
  if (request.until || !request.transcript.empty() || !request.curve.empty() ||
      request.options.shard >= request.options.shards) {
    throw ModelError("a shard is one of those of an audit of a fixed number of runs of a sampler");
  }
  Budget budget(limits);
  const Spec spec = read_spec(request.spec, budget);
  require_no_symbols(spec, "an audit");
  if (!all_are_tried(spec.model.domain)) {
    throw ModelError("--shard is for audits that try every input, of at most " + std::to_string(kMostInputs));
  }
  const AuditedSampler sampler =
      draw ? sampler_of(spec, request, std::move(draw), budget) : sampler_of(spec, request, budget);
  AuditPart part;
  part.request = request;
  part.spec_hash = hash_of(spec, limits, budget);
  part.measured =
      measure(spec, *sampler.runner, request.options, budget, [&](std::uint64_t runs, std::uint64_t planned) {
        if (progress) progress(spec.name, runs, planned, std::nullopt);
      });
  if (part.measured.interrupted) throw ModelError(part.measured.interrupted.reason);
  if (sampler.watch) part.watched = sampler.watch->counts();
  return part_text(part);
}

AuditResult merge_parts(std::span<const std::string> files, const Limits& limits) {
  if (files.empty()) throw ModelError("expected the files of all shards of an audit, found none");
  Budget budget(limits);
  std::optional<Spec> spec;
  std::optional<AuditPart> sum;
  AskedClaims asked;
  std::set<std::uint64_t> shards;
  std::optional<DependenceWatch> watch;
  for (const std::string& file : files) {
    const JsonDocument document(file, read_file(file, limits));
    AuditPart part = read_part_head(document);
    if (!spec) {
      spec = read_spec(part.request.spec, budget);
      asked = asked_claims(*spec, part.request.options.all_levels, budget);
      if (hash_of(*spec, limits, budget) != part.spec_hash) {
        throw SpecError({file, 0, 0, ""}, "the spec " + printable(part.request.spec) + " has changed since");
      }
    }
    read_part_counts(document, *spec, asked.questions, part);
    if (!shards.insert(part.request.options.shard).second) {
      throw SpecError({file, 0, 0, ""}, "shard " + std::to_string(part.request.options.shard + 1) + " is there twice");
    }
    if (part.watched && watch) watch->add_shard(*part.watched);
    if (part.watched && !watch) {
      watch.emplace(*spec->model.channel, alpha_of_dependence(part.request.options.alpha), budget);
      watch->begin_with(*part.watched);
    }
    sum ? add_part(*sum, part) : void(sum = std::move(part));
  }
  if (shards.size() != sum->request.options.shards) {
    throw SpecError({sum->file, 0, 0, ""}, "found " + std::to_string(shards.size()) + " of " +
                                               std::to_string(sum->request.options.shards) + " parts of this audit");
  }
  sum->measured.unasked = asked.unasked;
  AuditFindings findings = assess(*spec, std::move(sum->measured), sum->request.options, budget);
  add_dependence(sum->request, watch ? &*watch : nullptr, findings);
  return audit_result(sum->request, *spec, findings, {}, limits);
}

}  // namespace oddsbound::app
