#include "runs/exhaustive.h"

#include "base/errors.h"
#include "base/short_message.h"
#include "specs/spec.h"
#include "verifier/exact/decimal.h"

namespace oddsbound::runs {

namespace {

// The entry of the whole channel, or of a part.
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

AuditResult audit_spec(const Spec& spec, const ExhaustiveOptions& options, bool accept_exceptions, Budget& budget) {
  ExhaustiveAudit audit;
  audit.accepted = accept_exceptions;
  if (!spec.model.channel) {
    audit.reason = "the mechanism's outputs are " + spec.mechanism.outputs_word() +
                   (spec.mechanism.unlisted ? ": its sampler has too many runs to go through"
                                            : ": its sampler has no finite number of runs");
  } else {
    try {
      audit.derived = derivation_of(
          spec, check_exhaustively(*spec.model.channel, *spec.mechanism.sampler_or_rows(), options, budget));
    } catch (const LimitError& error) {
      audit.reason = shortened(error.what());
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

Report audit_files(std::span<const std::string> files, const ExhaustiveOptions& options, bool accept_exceptions,
                   const Limits& limits) {
  Report run = Report::of_this_program(Report::Kind::kExhaustive);
  run.bound = "2^-" + std::to_string(options.bound_bits);
  for (const std::string& file : files) {
    try {
      Budget budget(limits);
      const Spec spec = read_spec(file, budget);
      require_no_symbols(spec, "an audit");
      run.audits.push_back(audit_spec(spec, options, accept_exceptions, budget));
    } catch (const std::exception&) {
      run.errors.push_back(file_error_in_flight(file));
    }
  }
  return run;
}

}  // namespace oddsbound::runs
