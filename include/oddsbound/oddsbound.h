// oddsbound for programs: everything the command line does, as functions.
//
//   auto spec = oddsbound::read(oddsbound::File{"spec.json"});
//   if (!spec) return complain(spec.error().text());
//   const oddsbound::Report report = oddsbound::verify(*spec);
//   std::cout << *oddsbound::render(report, "text");
//
// No function here prints, exits, throws or keeps state between calls. What is wrong with an input is a value with its
// place; what a limit leaves open is told in the result, never guessed. Functions may be called from several threads.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "audits/exhaustive.h"
#include "audits/outcomes.h"
#include "base/budget.h"
#include "mechanisms/random/source.h"
#include "oddsbound/expected.h"
#include "reports/check.h"
#include "reports/comparison.h"
#include "design/result.h"
#include "reports/estimate_result.h"
#include "reports/lock.h"
#include "reports/search_result.h"
#include "releases/result.h"
#include "reports/report.h"
#include "reports/run_plan_result.h"
#include "reports/tune_result.h"
#include "specs/spec.h"
#include "verifier/exact/expression.h"
#include "verifier/smt/solver.h"

namespace oddsbound {

/// What a call may use, and whom it tells how far it is.
struct Context {
  /// Time, memory, sizes and threads; `limits.stop` asks for an end at any time, as a limit does.
  Limits limits;
  /// Called now and then, from any thread: how much is done of what, and at what.
  std::function<void(std::uint64_t done, std::uint64_t of, const std::string& at)> progress;
};

/// A spec's file; names of other files in it are relative to its folder.
struct File {
  std::string path;
};
/// A spec's text. name: what errors call it; folder: what names of other files in it are relative to; files: the texts
/// of some of these, by the names that it gives them, in place of what is on disk.
struct Text {
  std::string text;
  std::string name = "spec.json";
  std::string folder = ".";
  GivenFiles files{};
};

/// Reads a spec (docs/spec-format.md).
Expected<Spec> read(const File& file, const Context& context = {});
Expected<Spec> read(const Text& text, const Context& context = {});

/// A spec without JSON: a mechanism by its probabilities. rows: [input][output], exact, each summing to 1; inputs in
/// lexicographic order, the last coordinate fastest.
Expected<Spec> build(const std::string& name, const Domain& domain, const std::vector<std::string>& outputs,
                     const std::vector<std::vector<Number>>& rows, const std::optional<Prior>& prior = {},
                     const Context& context = {});
/// Adds a claim about a notion (docs/spec-format.md names them) with its fields. An error if there is no such notion,
/// or it needs a prior or another field.
std::optional<FileError> add_claim(Spec& spec, const std::string& notion, const Arguments& fields,
                                   bool expect_holds = true);

struct VerifyOptions {
  Engine engine = Engine::kExact;  // who decides claims
  SmtOptions smt;                  // how Z3 is asked, if it is
  bool analysis = true;            // verify: also the levels, beyond the claims; without them no curves and figures
  bool tradeoffs = false;          // also trade-off curves
  bool figures = false;            // also what reports draw: losses between pairs, correlations, curves
  bool figures_wanted = true;      // figures that a limit leaves out leave the result open; false: they are said to be
  bool effects = false;            // also what outputs do to the odds of each attribute, where there is a prior
  bool effects_wanted = true;      // as figures_wanted
  std::vector<std::string> for_all{};  // also BCDP levels over these sets of priors, by name; "*": all of a spec
  bool tolerances = false;             // also how wrong the prior may be before claimed BCDP levels fail
  bool witness_specs = false;       // also the priors that show levels over sets, as specs (SpecResult::witness_specs)
  bool certificate = false;         // also proofs of upper bounds, which take as long again as levels may
  bool claim_certificates = false;  // also why every verdict is right, likewise (SpecResult::claim_certificate)
  bool timings = false;             // also processor seconds of each spec and claim: of the process, so with one job
  std::size_t jobs = 1;             // files that are worked on at once
};

/// Decides the claims of a spec, and measures its levels: verdicts with witnesses.
Report verify(const Spec& spec, const VerifyOptions& options = {}, const Context& context = {});
/// The same for files, each with the context's limits; what is wrong with one is an error of the report.
Report verify(std::span<const std::string> files, const VerifyOptions& options = {}, const Context& context = {});
/// The levels alone.
Report analyze(const Spec& spec, const VerifyOptions& options = {}, const Context& context = {});
Report analyze(std::span<const std::string> files, const VerifyOptions& options = {}, const Context& context = {});

/// A sampler: draws the number of an output for the number of an input. It should take all its randomness from
/// `random`, so that an audit can be repeated, and may be called from several threads.
using SamplerFunction = std::function<std::uint64_t(std::uint64_t input, RandomSource& random)>;

/// What the runs of a sampler show, against the spec: bounds of levels, agreement with the stated channel.
Report audit(const Spec& spec, SamplerFunction sampler, const AuditRequest& request = {}, const Context& context = {});
/// The same of a sampler that draws for many inputs at once: one output for each, in their order. What it throws is
/// for its own side to remember: the report says what a std::exception says.
using BatchSamplerFunction =
    std::function<void(std::span<const std::uint64_t> inputs, RandomSource& random, std::span<std::uint64_t> outputs)>;
Report audit_batches(const Spec& spec, BatchSamplerFunction sampler, const AuditRequest& request = {},
                     const Context& context = {});
/// The same of what the request names: a program, recorded runs, or the spec's own sampler.
Report audit(const Spec& spec, const AuditRequest& request = {}, const Context& context = {});
/// Several requests; what is wrong with one is an error of the report.
Report audit(std::span<const AuditRequest> requests, const Context& context = {});
/// A request from a plan's file (docs/auditing.md); what it names is relative to its folder.
Expected<AuditRequest> read_plan(const File& file, const Context& context = {});
/// How many runs an audit of the request's spec needs, before any is made, to find with a probability of 90 % that a
/// claim is wrong by the margin: nats, or of delta a probability; above 0 (docs/auditing.md).
Expected<RunPlan> plan_runs(const AuditRequest& request, double margin, const Context& context = {});
/// One part of an audit of a fixed number of runs of a sampler: shard `request.options.shard` of `.shards`. What it
/// counted, as JSON; all shards have the request's seed.
Expected<std::string> audit_shard(const AuditRequest& request, const Context& context = {});
/// The same of a caller's function; request.function: what it is called, in all shards alike.
Expected<std::string> audit_shard(const AuditRequest& request, BatchSamplerFunction sampler,
                                  const Context& context = {});
/// The audit whose shards wrote these files; if they are not all of one audit, that is an error of the report.
Report merge_shards(std::span<const std::string> files, const Context& context = {});
/// A proof, in place of statistics: the built-in samplers' code on every sequence of random choices. accept_exceptions:
/// choices of which nothing could be shown do not count.
Report audit_exhaustively(std::span<const std::string> files, const ExhaustiveOptions& options = {},
                          bool accept_exceptions = false, const Context& context = {});

/// One input: by its values, separated by commas or as a JSON array (name: what errors call them). Coordinates that the
/// mechanism does not read (spec.mechanism.unread) may be left out, and then have their first values. A list of inputs
/// holds numbers where the domain has at most 2^62 inputs, and may be made of such; else it holds rows of values.
Expected<InputList> find_input(const Spec& spec, const Text& values);
/// Inputs from a CSV table with a column for every coordinate that is read, or drawn from the spec's prior.
Expected<InputList> read_inputs(const Spec& spec, const Text& table, const Context& context = {});
Expected<InputList> draw_inputs(const Spec& spec, std::uint64_t count, std::optional<std::uint64_t> seed = {},
                                const Context& context = {});

struct SampleOptions {
  std::uint64_t count = 1;              // draws for each input
  std::optional<std::uint64_t> seed{};  // none: the system's randomness; only that is private
  bool tally = false;                   // how often each output was drawn, not every draw
};
/// Outputs, drawn for one input after another. What a seed gives does not depend on the number of threads. Of the
/// limits, only a stop ends the drawing.
Expected<SampleResult> sample(const Spec& spec, const InputList& inputs, const SampleOptions& options = {},
                              const Context& context = {});
/// The same for more than memory holds: `take` is given one piece after another until it says false. Returns whether
/// it took all.
Expected<bool> sample_in_pieces(const Spec& spec, const InputList& inputs,
                                const std::function<bool(const SampleResult& piece)>& take,
                                const SampleOptions& options = {}, const Context& context = {});

/// The same draws of a mechanism with outputs that have labels, as numbers, into memory of the caller: of each draw as
/// many as `sampled_parts` has parts.
Expected<bool> sample_numbers(const Spec& spec, const InputList& inputs, std::span<std::uint64_t> numbers,
                              const SampleOptions& options = {}, const Context& context = {});
/// What draws on its own: the labels of its outputs by their numbers, and the coordinates it sees.
struct SampledPart {
  std::vector<std::string> labels;
  std::vector<std::size_t> coordinates;
};
struct SampledParts {
  bool tuples = false;  // labels of outputs are tuples of labels of the parts, even of one; else the one part's
  std::vector<SampledPart> parts;  // those that are independent
};
Expected<SampledParts> sampled_parts(const Spec& spec, const Context& context = {});

struct EstimateOptions {
  /// The coordinates, by name, of every joint distribution that is asked for. None: the shares of the inputs, where
  /// these are few enough and can be told; else what can be told of the coordinates.
  std::vector<std::vector<std::string>> marginals{};
};
/// Estimates of the inputs' distribution from collected outputs: a table as the command line reads it
/// (docs/mechanisms.md).
Expected<EstimateResult> estimate(const Spec& spec, const Text& outputs, const Context& context = {});
Expected<EstimateResult> estimate(const Spec& spec, const Text& outputs, const EstimateOptions& options,
                                  const Context& context = {});
/// Before any are collected: the exact error to expect from so many outputs.
Expected<EstimateResult> estimate_error(const Spec& spec, std::uint64_t outputs, const Context& context = {});
Expected<EstimateResult> estimate_error(const Spec& spec, std::uint64_t outputs, const EstimateOptions& options,
                                        const Context& context = {});

struct LeastSquaresOptions {
  std::string label{};  // the coordinate to predict by the others
  double radius = 1;    // the greatest length of the coefficients, above 0
};
/// A linear prediction of one coordinate by the others from what a mechanism with two copies (bcdp_mean, bcdp_mean_l2)
/// answered: a table as the command line reads it. Rounded.
Expected<LeastSquaresResult> least_squares(const Spec& spec, const Text& outputs, const LeastSquaresOptions& options,
                                           const Context& context = {});

/// A spec for the release of a table, attribute by attribute, with claims that were measured: its text, and where it is
/// to stand, for the table's name is relative to that.
Expected<NewSpec> new_spec(const NewSpecRequest& request, const Context& context = {});

/// What a release from a table of people tells, and what it costs by attributes (docs/releases.md). Where the budget is
/// exceeded no table is read.
Expected<ReleaseResult> release(const File& file, const ReleaseRequest& request = {}, const Context& context = {});
/// A spec of the release's own code on all tables of so many records, with what it costs as claims. window: of all
/// steps, in place of theirs. folder: where it is to stand.
Expected<std::string> release_spec(const File& file, std::size_t records, std::optional<std::uint64_t> window = {},
                                   const std::string& folder = ".", const Context& context = {});
/// A spec of which of two tables that differ in one record a release is from, for audits, with what it costs as claim.
Expected<std::string> release_spec_of_tables(const File& file, const std::vector<std::string>& tables,
                                             const std::string& folder = ".", const Context& context = {});

/// The mechanism with the least loss within what a request asks for, and a proof that there is none with less
/// (docs/design.md). folder: where its spec is to stand.
Expected<DesignResult> design(const File& file, const std::string& folder = ".", const Context& context = {});

/// The mechanism of a spec, mended so that its claims hold (docs/design.md). folder: where its spec is to stand.
Expected<RepairResult> repair(const File& file, const RepairOptions& options = {}, const std::string& folder = ".",
                              const Context& context = {});

struct SearchOptions {
  std::optional<Level> level{};  // in the premise, the logarithm of a rational number; none: the property's own
  SmtOptions smt{};              // Z3's limits hold for each size
};
/// Looks for a counterexample to a property of notions ("bcdp composes"; `properties()` lists them), size by size.
Expected<SearchResult> search(const std::string& property, const SearchSize& largest, const SearchOptions& options = {},
                              const Context& context = {});

/// The largest (or smallest) value of a parameter for which claims of a spec hold, decided value by value; the
/// context's limits hold for all of them together.
Expected<TuneResult> tune(const File& file, const TuneRequest& request, const Context& context = {});
Expected<TuneResult> tune(const Text& text, const TuneRequest& request, const Context& context = {});

/// Specs side by side: levels, averages, the errors of estimates from so many outputs, and which is lowest in what.
/// Each has the context's limits; what is wrong with one is an error of the comparison.
DesignComparison compare(std::span<const std::string> files, std::uint64_t samples = 1000, const Context& context = {});
/// The same of specs that were read.
DesignComparison compare(std::span<const Spec> specs, std::uint64_t samples = 1000, const Context& context = {});

/// The privacy lock of specs, by the names they are to have in it: a promise for every level. What depends on a
/// confidential table is rounded up. Its content is compared by an HMAC with the key in the environment variable
/// ODDSBOUND_LOCK_KEY, or not at all.
Expected<Lock> lock(const std::vector<std::pair<std::string, File>>& specs, const Context& context = {},
                    const PromiseOptions& options = {});
/// Compares specs with a lock: a level above its promise fails.
Checks check(const Lock& lock, const std::vector<std::pair<std::string, File>>& specs, bool strict = false,
             const Context& context = {});
/// A lock back from its text (`lock_text`).
Expected<Lock> read_lock(const Text& text, const Context& context = {});
/// The same step by step. What specs measure now, by their names in a lock; what is wrong with one is an error of that
/// one. Which of a lock's specs are `missing` is for the caller to say.
MeasuredSpecs measure(const std::vector<std::pair<std::string, File>>& specs, const SmtOptions& smt = {},
                      const Context& context = {});
/// Compares what was measured. strict: what is new fails too.
Checks check(const Lock& lock, const MeasuredSpecs& now, bool strict = false);
/// Whether a check of a lock fails for no other reason than that nothing promises a level yet: `renew` adds it.
bool is_without_promise(const Check& check);
/// Adds promises for what has none; promises that are there are never raised. An error, and nothing is done, if a check
/// fails for another reason or is undecided, something is wrong with a spec, or the lock is of format 1.
std::optional<FileError> renew(Lock& lock, const MeasuredSpecs& now, const PromiseOptions& options = {});
/// Raises the promises that are broken, for a reason that the lock keeps, with the changes. Returns these; if there are
/// none, nothing is done.
Expected<std::vector<std::string>> accept(Lock& lock, const MeasuredSpecs& now, const std::string& reason,
                                          const PromiseOptions& options = {});
/// Makes format 2 of format 1, for a reason that the lock keeps. An error if a level exceeds what is locked.
std::optional<FileError> upgrade(Lock& lock, const MeasuredSpecs& now, const std::string& reason);

/// The formats that a report is written in: "text", "json", "html", "markdown", "sarif", "junit", "github".
std::vector<std::string> formats_of_reports();
/// Those of them that show checks alone, and "text", which `check` leaves to its caller.
std::vector<std::string> formats_of_checks();
struct RenderOptions {
  bool static_figures = false;  // HTML without scripts
  bool color = false;           // text for a terminal
  /// Of the run, where that is not the report's own.
  std::optional<int> exit_status{};
  std::size_t width = 0;  // columns that lines of text about specs may take; 0: any number
  std::string folder{};   // that HTML is written to, from where it links to certificates; empty: the current one
  /// Also where a table is confidential: else levels that depend on it are rounded, except in JSON, which is exact.
  bool exact = false;
  /// HTML of a report that would be too long as one page: an index. The folder, from where the index is, of a page for
  /// each spec, then each audit, in their order (1.html, 2.html, ...); empty: one page.
  std::string pages{};
  /// HTML: the index that a page links back to; empty: none.
  std::string index{};
};
/// A report in one of them; none for an unknown format.
std::optional<std::string> render(const Report& report, std::string_view format, const RenderOptions& options = {});
/// The same for checks, which have no text, JSON or HTML.
std::optional<std::string> render(const Checks& checks, std::string_view format);
/// What tune found, as "text", "json" or "html".
std::optional<std::string> render(const TuneResult& result, std::string_view format, const RenderOptions& options = {});
/// A comparison, as "text", "json" or "html".
std::optional<std::string> render(const DesignComparison& comparison, std::string_view format,
                                  const RenderOptions& options = {});
/// What a release told and costs, as "text", "json", "csv" (the numbers alone) or "html".
std::optional<std::string> render(const ReleaseResult& result, std::string_view format,
                                  const RenderOptions& options = {});
/// A design or a mended mechanism, as "text", "json" (its spec) or "html".
std::optional<std::string> render(const DesignResult& result, std::string_view format,
                                  const RenderOptions& options = {});
std::optional<std::string> render(const RepairResult& result, std::string_view format,
                                  const RenderOptions& options = {});
/// Estimates, or a plan of an audit's runs, as "text" or "json".
std::optional<std::string> render(const EstimateResult& result, std::string_view format,
                                  const RenderOptions& options = {});
std::optional<std::string> render(const RunPlan& plan, std::string_view format, const RenderOptions& options = {});
/// A report back from its JSON.
Expected<Report> read_report(const Text& json, const Context& context = {});
/// The same of any result of which reports are made.
using AnyResult = std::variant<Report, ReleaseResult>;
Expected<AnyResult> read_result(const Text& json, const Context& context = {});

}  // namespace oddsbound
