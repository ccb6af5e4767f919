// Called by the command line and the Python package: every command as a function that throws nothing. An error in an
// input is a value with its place. A result states what a limit left undecided; it is never guessed. Functions may be
// called from several threads. The public interface (oddsbound/oddsbound.h) wraps these results.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/compare.h"
#include "app/result_cache.h"
#include "mechanisms/random/source.h"
#include "oddsbound/expected.h"
#include "oddsbound/options.h"
#include "reports/check.h"
#include "reports/composition.h"
#include "reports/estimate_result.h"
#include "reports/lock.h"
#include "reports/report.h"
#include "reports/run_plan_result.h"
#include "reports/search_result.h"
#include "reports/split_result.h"
#include "reports/tune_result.h"
#include "specs/spec.h"
#include "specs/spec_error.h"
#include "verifier/smt/properties.h"

namespace oddsbound::api {

// Words for options that are one of a few.
template <typename Choice>
using Words = std::vector<std::pair<std::string, Choice>>;
inline const Words<Engine> kEngines{{"exact", Engine::kExact}, {"smt", Engine::kSmt}, {"both", Engine::kBoth}};
inline const Words<BlankCells> kBlankCells{
    {"error", BlankCells::kRefused}, {"drop", BlankCells::kDropped}, {"value", BlankCells::kValue}};

/// Returns the result of `work`, or the error it throws. file: that of errors without a place.
template <typename Work>
auto as_expected(const std::string& file, Work work) -> Expected<decltype(work())> {
  try {
    return work();
  } catch (const std::exception&) {
    return file_error_in_flight(file);
  }
}
/// The same for work within a budget of these limits.
template <typename Work>
auto within(const Limits& limits, const std::string& file, Work work) {
  return as_expected(file, [&] {
    Budget budget(limits);
    return work(budget);
  });
}

/// Reads a spec (docs/spec-format.md).
Expected<Spec> read(const File& file, const Context& context = {});
Expected<Spec> read(const Text& text, const Context& context = {});

/// Builds a spec without JSON, from the probabilities of a mechanism. rows: [input][output], exact, each with sum 1.
/// Inputs are in lexicographic order, the last coordinate fastest.
Expected<Spec> build(const std::string& name, const Domain& domain, const std::vector<std::string>& outputs,
                     const std::vector<std::vector<Number>>& rows, const std::optional<Prior>& prior = {},
                     const Context& context = {});
/// Adds a claim about a notion (listed in docs/spec-format.md) with its fields. Returns an error if there is no such
/// notion, or it needs a prior or another field.
std::optional<FileError> add_claim(Spec& spec, const std::string& notion, const Arguments& fields,
                                   bool expect_holds = true);

/// Decides the claims of a spec and measures its levels: verdicts with witnesses.
Report verify(const Spec& spec, const VerifyOptions& options = {}, const Context& context = {});
/// The same for files, each with the context's limits. An error in one file is an error of the report. cache: where
/// results of earlier runs are, and where new ones are kept; null: none.
Report verify(std::span<const std::string> files, const VerifyOptions& options = {}, const Context& context = {},
              ResultCache* cache = nullptr);
/// Measures the levels alone.
Report analyze(const Spec& spec, const VerifyOptions& options = {}, const Context& context = {});
Report analyze(std::span<const std::string> files, const VerifyOptions& options = {}, const Context& context = {},
               ResultCache* cache = nullptr);
/// The same for the text of a spec, which is read with VerifyOptions::row_tolerance.
Report verify_text(const Text& text, const VerifyOptions& options = {}, const Context& context = {});
Report analyze_text(const Text& text, const VerifyOptions& options = {}, const Context& context = {});

/// A sampler: draws an output number for an input number. It should take all randomness from `random`, so that an
/// audit is reproducible. It may be called from several threads.
using SamplerFunction = std::function<std::uint64_t(std::uint64_t input, RandomSource& random)>;

/// Audits a sampler against the spec: bounds of levels, agreement with the stated channel. With a curve in the request:
/// lower bounds of delta at its epsilons, which hold together, beside delta of the stated channel (docs/auditing.md).
Report audit(const Spec& spec, SamplerFunction sampler, const AuditRequest& request = {}, const Context& context = {});
/// The same for a sampler that draws for many inputs at once: one output per input, in order. The report contains the
/// message of a std::exception that it throws; the caller has to keep any other exception.
using BatchSamplerFunction =
    std::function<void(std::span<const std::uint64_t> inputs, RandomSource& random, std::span<std::uint64_t> outputs)>;
Report audit_batches(const Spec& spec, BatchSamplerFunction sampler, const AuditRequest& request = {},
                     const Context& context = {});
/// Audits what the request names: a program, recorded runs, or the spec's own sampler.
Report audit(const Spec& spec, const AuditRequest& request = {}, const Context& context = {});
/// Runs several requests. An error in one is an error of the report.
Report audit(std::span<const AuditRequest> requests, const Context& context = {});
/// Reads a request from a plan file (docs/auditing.md). Names in it are relative to its folder.
Expected<AuditRequest> read_plan(const File& file, const Context& context = {});
/// Computes how many runs an audit of the request's spec needs, before any is made, to find with probability 90 %
/// that a claim is wrong by the margin > 0. The margin is in nats; for delta it is a probability (docs/auditing.md).
Expected<RunPlan> plan_runs(const AuditRequest& request, double margin, const Context& context = {});
/// Runs one part of an audit with a fixed number of runs: shard `request.options.shard` of `.shards`. Returns its
/// counts as JSON. All shards use the request's seed.
Expected<std::string> audit_shard(const AuditRequest& request, const Context& context = {});
/// The same for a caller's function. request.function: its name, the same in all shards.
Expected<std::string> audit_shard(const AuditRequest& request, BatchSamplerFunction sampler,
                                  const Context& context = {});
/// Merges the files of all shards into one audit. Files that are not all shards of one audit are an error of the
/// report.
Report merge_shards(std::span<const std::string> files, const Context& context = {});
/// Proves instead of testing: replays the code of the built-in samplers on every sequence of random choices.
Report audit_exhaustively(std::span<const std::string> files, const ExhaustiveOptions& options = {},
                          const Context& context = {});

/// Returns one input from its values, separated by commas or as a JSON array (name: its name in error messages).
/// Coordinates that the mechanism does not read (spec.mechanism.unread) may be omitted; they then have their first
/// values. An InputList holds input numbers if the domain has at most 2^62 inputs, and may be constructed from such;
/// otherwise it holds rows of values.
Expected<InputList> find_input(const Spec& spec, const Text& values);
/// Returns inputs from a CSV table with a column for every coordinate that is read, or drawn from the spec's prior.
Expected<InputList> read_inputs(const Spec& spec, const Text& table, const Context& context = {});
Expected<InputList> draw_inputs(const Spec& spec, std::uint64_t count, std::optional<std::uint64_t> seed = {},
                                const Context& context = {});

/// Draws outputs, one input after another. The outputs of a seed do not depend on the number of threads. Only
/// a stop request ends the drawing; other limits do not apply.
Expected<SampleResult> sample(const Spec& spec, const InputList& inputs, const SampleOptions& options = {},
                              const Context& context = {});
/// The same for more outputs than memory holds: passes pieces to `take` until it returns false. Returns whether it
/// took all.
Expected<bool> sample_in_pieces(const Spec& spec, const InputList& inputs,
                                const std::function<bool(const SampleResult& piece)>& take,
                                const SampleOptions& options = {}, const Context& context = {});

/// The same draws as integers, for a mechanism with labelled outputs, into the caller's memory: per draw one integer
/// for each part of `sampled_parts`.
Expected<bool> sample_numbers(const Spec& spec, const InputList& inputs, std::span<std::uint64_t> numbers,
                              const SampleOptions& options = {}, const Context& context = {});
/// An independent part of the outputs: its labels by number, and the coordinates it sees.
struct SampledPart {
  std::vector<std::string> labels;
  std::vector<std::size_t> coordinates;
};
struct SampledParts {
  bool tuples = false;             // output labels are tuples of part labels, even of one; else the single part's
  std::vector<SampledPart> parts;  // the independent parts
};
Expected<SampledParts> sampled_parts(const Spec& spec, const Context& context = {});

/// Estimates the inputs' distribution from collected outputs, a table in the format of the command line
/// (docs/mechanisms.md).
Expected<EstimateResult> estimate(const Spec& spec, const Text& outputs, const EstimateOptions& options = {},
                                  const Context& context = {});
/// Returns the exact expected error of estimates from `outputs` outputs, before any is collected; or, with
/// `options.people_for` and 0 outputs, the number of outputs that an expected total variation distance takes.
Expected<EstimateResult> estimate_error(const Spec& spec, std::uint64_t outputs, const EstimateOptions& options = {},
                                        const Context& context = {});

/// Computes a linear prediction of the coordinate `options.label` from the others, from outputs of a mechanism with two
/// copies (bcdp_mean, bcdp_mean_l2), a table in the format of the command line. Rounded.
Expected<LeastSquaresResult> least_squares(const Spec& spec, const Text& outputs, const EstimateOptions& options,
                                           const Context& context = {});

/// Makes a spec for releasing a table, attribute by attribute, with measured claims. The table's name in the text is
/// relative to the location of the spec.
Expected<NewSpec> new_spec(const NewSpecRequest& request, const Context& context = {});

/// Splits BCDP levels into CDP levels under given correlation, or bounds the BCDP levels of CDP levels (BCDP paper,
/// Propositions 4 and 6).
Expected<SplitResult> split(const SplitRequest& request);

/// Searches for a counterexample to a property of notions ("bcdp composes"; `properties()` lists them), size by size.
Expected<SearchResult> search(const std::string& property, const SearchOptions& options = {},
                              const Context& context = {});

/// Finds the largest (or smallest) value of a parameter for which claims of a spec hold, decided value by value. The
/// context's limits are for all values together.
Expected<TuneResult> tune(const File& file, const TuneRequest& request, const Context& context = {});
Expected<TuneResult> tune(const Text& text, const TuneRequest& request, const Context& context = {});

/// Measures independent, non-adaptive runs of mechanisms on the same input together: the smallest epsilon at a delta,
/// delta at an epsilon, rho, and the (epsilon, delta) curve.
Expected<ComposedResult> compose(std::span<const std::string> files, const ComposeOptions& options = {},
                                 const Context& context = {});
Expected<ComposedResult> compose(std::span<const Spec> specs, const ComposeOptions& options = {},
                                 const Context& context = {});

/// Specs under their names in a lock.
using LockedFiles = std::vector<std::pair<std::string, File>>;
/// Measures specs for a lock. An error in one is an error of that one. Promises that depend on a confidential table
/// are rounded up. The table's content is compared by an HMAC with the key in the environment variable
/// ODDSBOUND_LOCK_KEY; without the key it is not compared.
MeasuredSpecs measure(const LockedFiles& specs, const LockOptions& options = {}, const Context& context = {});
/// The same; the other specs of the lock are missing.
MeasuredSpecs measure(const LockedFiles& specs, const Lock& lock, const LockOptions& options = {},
                      const Context& context = {});
/// Makes the privacy lock of specs: a promise for every level.
Expected<Lock> lock(const LockedFiles& specs, const LockOptions& options = {}, const Context& context = {});
/// Reads a lock from its text (`lock_text`).
Expected<Lock> read_lock(const Text& text, const Context& context = {});
/// Compares measured specs with a lock. A level above its promise fails.
Checks check(const Lock& lock, const MeasuredSpecs& now, const LockOptions& options = {});
/// True if a check of a lock fails only because a level has no promise yet; `renew` adds it.
bool is_without_promise(const Check& check);
/// Adds missing promises; existing promises are never raised. Returns an error and changes nothing if a check fails
/// for another reason or is undecided, a spec has an error, or the lock has format 1.
std::optional<FileError> renew(Lock& lock, const MeasuredSpecs& now, const LockOptions& options = {});
/// Raises broken promises, with a reason that the lock records together with the changes. Returns the changes; if
/// there are none, does nothing.
Expected<std::vector<std::string>> accept(Lock& lock, const MeasuredSpecs& now, const std::string& reason,
                                          const LockOptions& options = {});
/// Converts a lock from format 1 to format 2, with a reason that the lock records. Returns an error if a level
/// exceeds its locked value.
std::optional<FileError> upgrade(Lock& lock, const MeasuredSpecs& now, const std::string& reason);

/// The formats of reports: "text", "json", "html", "markdown", "sarif", "junit", "github", "registry".
std::vector<std::string> formats_of_reports();
/// The formats that can show checks alone, and "text", which `check` leaves to its caller.
std::vector<std::string> formats_of_checks();
/// Writes a report in one of the formats; nullopt for an unknown format.
std::optional<std::string> render(const Report& report, std::string_view format, const RenderOptions& options = {});
/// The same for checks, which have no text, JSON or HTML.
std::optional<std::string> render(const Checks& checks, std::string_view format, const RenderOptions& options = {});
/// Writes the result of tune as "text", "json" or "html".
std::optional<std::string> render(const TuneResult& result, std::string_view format, const RenderOptions& options = {});
/// Writes a comparison as "text", "json" or "html".
std::optional<std::string> render(const DesignComparison& comparison, std::string_view format,
                                  const RenderOptions& options = {});
/// Writes a composition as "text", "json" or "html".
std::optional<std::string> render(const ComposedResult& result, std::string_view format,
                                  const RenderOptions& options = {});
/// Write a result as "text" or "json".
std::optional<std::string> render(const EstimateResult& result, std::string_view format,
                                  const RenderOptions& options = {});
std::optional<std::string> render(const RunPlan& plan, std::string_view format, const RenderOptions& options = {});
std::optional<std::string> render(const LeastSquaresResult& result, std::string_view format,
                                  const RenderOptions& options = {});
std::optional<std::string> render(const SearchResult& result, std::string_view format,
                                  const RenderOptions& options = {});
std::optional<std::string> render(const SplitResult& result, std::string_view format,
                                  const RenderOptions& options = {});
std::optional<std::string> render(const SampleResult& result, std::string_view format,
                                  const RenderOptions& options = {});
/// Reads a report from its JSON.
Expected<Report> read_report(const Text& json, const Context& context = {});

}  // namespace oddsbound::api
