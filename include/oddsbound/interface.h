// Specs and results as values, and the functions of the interface (included by oddsbound/oddsbound.h). A result has a
// few members for programs; `render` writes all of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "oddsbound/expected.h"
#include "oddsbound/level.h"
#include "oddsbound/limits.h"
#include "oddsbound/number.h"
#include "oddsbound/options.h"
#include "oddsbound/random_source.h"

namespace oddsbound::interface {

// Specs

struct Coordinate {
  std::string name;
  std::vector<std::string> values;
  bool is_public = false;  // everyone knows its value: it is not a secret
};

/// The inputs of a mechanism: all tuples of coordinate values, in lexicographic order, the last coordinate fastest.
struct Domain {
  explicit Domain(std::vector<Coordinate> all) : coordinates(std::move(all)) {}
  std::vector<Coordinate> coordinates;
};

/// The fields of a claim, by their names in specs. A list of levels has one for each coordinate. Fields of other kinds
/// need a spec in JSON.
class Arguments {
 public:
  using Value = std::variant<Level, std::vector<std::optional<Level>>, Number, std::string>;
  void set(const std::string& field, Value value) { fields_.emplace_back(field, std::move(value)); }
  const std::vector<std::pair<std::string, Value>>& fields() const { return fields_; }

 private:
  std::vector<std::pair<std::string, Value>> fields_;
};

/// A mechanism, a prior and claims. Copies are cheap.
class Spec {
 public:
  const std::string& name() const;
  const std::string& file() const;
  std::size_t claims() const;
  std::vector<Coordinate> coordinates() const;
  /// Warnings about probable mistakes.
  const std::vector<std::string>& notes() const;

  struct State;
  explicit Spec(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

/// Inputs to draw for.
class InputList {
 public:
  /// Inputs by their numbers.
  InputList(const std::vector<std::uint64_t>& numbers);  // NOLINT: a list of numbers is a list of inputs
  std::size_t size() const;

  struct State;
  explicit InputList(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

// Results

/// The result of a command. Copies are cheap. Changes of a result's members do not change what is written.
class Result {
 public:
  /// As of the command: 0 as expected, 1 not as expected, 2 an error, 3 undecided.
  int exit_status() const;
  /// Writes the result as "text", "json" or another of the command's formats; nullopt for other formats.
  std::optional<std::string> render(std::string_view format, const RenderOptions& options = {}) const;

  struct State;
  Result() = default;
  explicit Result(std::shared_ptr<const State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<const State> state_;  // null: an empty result
};

inline std::optional<std::string> render(const Result& result, std::string_view format,
                                         const RenderOptions& options = {}) {
  return result.render(format, options);
}

/// The output that refutes a claim, and its probabilities on the two sides that the claim compares.
struct Witness {
  std::vector<std::string> outputs;  // one output; for approximate_dp the outputs of the event
  std::string from, to;              // values, labels or inputs
  Number p_from, p_to;
  std::string coordinate;  // that from and to are values of; may be empty
};

struct Decision {
  std::optional<Witness> witness;  // of a claim that does not hold
};

enum class Verdict { kHolds, kRefuted, kUndecided };

struct ClaimResult {
  std::string name;
  std::string notion;
  bool expect_holds = true;
  Verdict verdict = Verdict::kUndecided;
  Decision decision;
  std::string reason;  // undecided claim: the limit that was reached
};

struct MeasuredLevel {
  std::string notion;
  std::string coordinate;   // empty for a notion with a single level
  Level at_least, at_most;  // equal unless a limit stopped the search
};

/// A file to write. Its name has only letters, digits, '-', '.' and '_'.
struct NamedText {
  std::string name;
  std::string text;
};

struct SpecResult {
  std::string file;
  std::string name;
  std::vector<ClaimResult> claims;
  std::vector<MeasuredLevel> levels;
  std::string certificate;                     // proofs of upper bounds, as JSON, if requested
  std::optional<NamedText> claim_certificate;  // proofs of the verdicts, as JSON, if requested
  std::vector<NamedText> witness_specs;        // priors that attain levels over sets, as specs, if requested
};

struct AuditResult {
  std::string file;
  std::string name;
  std::string word;
  /// "passes", "contradicted", "deviates", "undecided", ...
  const std::string& verdict() const { return word; }
};

/// The result of verify, analyze and audit. Formats: `formats_of_reports`.
class Report : public Result {
 public:
  using Result::Result;
  std::vector<SpecResult> specs;
  std::vector<AuditResult> audits;
  std::vector<FileError> errors;
};

struct DrawnOutput {
  std::string output;
  std::uint64_t count = 0;
};

class SampleResult : public Result {
 public:
  using Result::Result;
  /// The label of every draw, labels with counts, or every draw of continuous outputs.
  std::variant<std::vector<std::string>, std::vector<DrawnOutput>, std::vector<std::vector<double>>> outputs;
};

/// An independent part of the outputs: its labels by number, and the coordinates it sees.
struct SampledPart {
  std::vector<std::string> labels;
  std::vector<std::size_t> coordinates;
};
struct SampledParts {
  bool tuples = false;             // output labels are tuples of part labels, even of one; else the single part's
  std::vector<SampledPart> parts;  // the independent parts
};

struct Estimate {
  std::string target;
  std::optional<Number> exact;  // from counts; averages of continuous outputs are rounded
  double value = 0;
  double standard_error = 0;
};

class EstimateResult : public Result {
 public:
  using Result::Result;
  std::vector<Estimate> estimates;  // of all marginals, one after another
};

class RunPlan : public Result {
 public:
  using Result::Result;
  std::uint64_t samples = 0;  // the largest number of runs of all planned claims
};

class TuneResult : public Result {
 public:
  using Result::Result;
  std::optional<Number> holds_at, fails_at;  // the outermost value at which the claims hold, and the next one
  bool logarithm = false;                    // the values are the logarithms of these numbers
};

class SearchResult : public Result {
 public:
  using Result::Result;
  std::vector<NamedText> specs;  // the counterexample: one, or the premise and the conclusion
};

class Comparison : public Result {
 public:
  using Result::Result;
  std::vector<FileError> errors;
};

class Composition : public Result {
 public:
  using Result::Result;
  /// The smallest epsilon at the delta that was asked for: exact, or the upper end of an interval.
  std::optional<Level> epsilon;
  /// The smallest delta at the epsilon that was asked for, likewise.
  std::optional<Number> delta;
};

struct NewSpec {
  std::string text;
  std::vector<std::string> notes;  // about the table and the claims
};

// The privacy lock

class Lock {
 public:
  /// The lock's file.
  std::string text() const;

  struct State;
  explicit Lock(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

enum class Outcome { kPass, kNote, kFail, kUndecided, kError };

struct Check {
  std::string suite;  // the file it is about
  std::string title;  // "bcdp x1 <= log(2)"
  Outcome outcome = Outcome::kPass;
  std::string message;
};

/// Formats: `formats_of_checks`, without "text".
class Checks : public Result {
 public:
  using Result::Result;
  std::vector<Check> list;
};

// Functions. An error in an input is a value with its place.

/// Reads a spec (docs/spec-format.md).
Expected<Spec> read(const File& file, const Context& context = {});
Expected<Spec> read(const Text& text, const Context& context = {});

/// Builds a spec without JSON, from the probabilities of a mechanism. rows: [input][output], exact, each with sum 1.
/// prior: a weight for each input; empty: no prior.
Expected<Spec> build(const std::string& name, const Domain& domain, const std::vector<std::string>& outputs,
                     const std::vector<std::vector<Number>>& rows, const std::vector<Number>& prior = {},
                     const Context& context = {});
/// Adds a claim about a notion (listed in docs/spec-format.md) with its fields. Returns an error if there is no such
/// notion, or it needs a prior or another field.
std::optional<FileError> add_claim(Spec& spec, const std::string& notion, const Arguments& fields,
                                   bool expect_holds = true);

/// Decides the claims of a spec and measures its levels: verdicts with witnesses.
Report verify(const Spec& spec, const VerifyOptions& options = {}, const Context& context = {});
/// The same for files, each with the context's limits. An error in one file is an error of the report.
Report verify(std::span<const std::string> files, const VerifyOptions& options = {}, const Context& context = {});
/// Measures the levels alone.
Report analyze(const Spec& spec, const VerifyOptions& options = {}, const Context& context = {});
Report analyze(std::span<const std::string> files, const VerifyOptions& options = {}, const Context& context = {});

/// A sampler: draws an output number for an input number. It should take all randomness from `random`, so that an
/// audit is reproducible. It may be called from several threads.
using SamplerFunction = std::function<std::uint64_t(std::uint64_t input, RandomSource& random)>;
/// A sampler that draws for many inputs at once: one output per input, in order.
using BatchSamplerFunction =
    std::function<void(std::span<const std::uint64_t> inputs, RandomSource& random, std::span<std::uint64_t> outputs)>;

/// Audits a sampler against the spec: bounds of levels, agreement with the stated channel. With a curve in the request:
/// lower bounds of delta at its epsilons, which hold together, beside delta of the stated channel (docs/auditing.md).
Report audit(const Spec& spec, SamplerFunction sampler, const AuditRequest& request = {}, const Context& context = {});
/// The same for a sampler that draws for many inputs at once. The report contains the message of a std::exception that
/// it throws; the caller has to keep any other exception.
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
/// Coordinates that the mechanism does not read may be omitted; they then have their first values.
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
Expected<Result> least_squares(const Spec& spec, const Text& outputs, const EstimateOptions& options,
                               const Context& context = {});

/// Splits BCDP levels into CDP levels under given correlation, or bounds the BCDP levels of CDP levels (BCDP paper,
/// Propositions 4 and 6). Formats: "text", "json".
Expected<Result> split(const SplitRequest& request);

/// Makes a spec for releasing a table, attribute by attribute, with measured claims. The table's name in the text is
/// relative to the location of the spec.
Expected<NewSpec> new_spec(const NewSpecRequest& request, const Context& context = {});

/// Searches for a counterexample to a property of notions ("bcdp composes"; `oddsbound search --list` lists them), size
/// by size.
Expected<SearchResult> search(const std::string& property, const SearchOptions& options = {},
                              const Context& context = {});

/// Finds the largest (or smallest) value of a parameter for which claims of a spec hold, decided value by value. The
/// context's limits are for all values together.
Expected<TuneResult> tune(const File& file, const TuneRequest& request, const Context& context = {});
Expected<TuneResult> tune(const Text& text, const TuneRequest& request, const Context& context = {});

/// Compares specs: levels, averages, errors of estimates from `samples` outputs, and which is lowest in what. Each
/// spec has the context's limits. An error in one is an error of the comparison.
Comparison compare(std::span<const std::string> files, std::uint64_t samples = 1000, const Context& context = {});
/// The same for specs that were read.
Comparison compare(std::span<const Spec> specs, std::uint64_t samples = 1000, const Context& context = {});

/// Measures independent, non-adaptive runs of mechanisms on the same input together.
Expected<Composition> compose(std::span<const std::string> files, const ComposeOptions& options = {},
                              const Context& context = {});
Expected<Composition> compose(std::span<const Spec> specs, const ComposeOptions& options = {},
                              const Context& context = {});

/// Specs under their names in a lock.
using LockedFiles = std::vector<std::pair<std::string, File>>;
/// Makes the privacy lock of specs: a promise for every level. Promises that depend on a confidential table are rounded
/// up. The table's content is compared by an HMAC with the key in the environment variable ODDSBOUND_LOCK_KEY; without
/// the key it is not compared.
Expected<Lock> lock(const LockedFiles& specs, const LockOptions& options = {}, const Context& context = {});
/// Reads a lock from its text.
Expected<Lock> read_lock(const Text& text, const Context& context = {});
/// Compares specs with a lock. A level above its promise fails.
Checks check(const Lock& lock, const LockedFiles& specs, const LockOptions& options = {}, const Context& context = {});
/// Adds missing promises; existing promises are never raised. Returns an error and changes nothing if a check fails
/// for another reason or is undecided, a spec has an error, or the lock has format 1.
std::optional<FileError> renew(Lock& lock, const LockedFiles& specs, const LockOptions& options = {},
                               const Context& context = {});
/// Raises broken promises, with a reason that the lock records together with the changes. Returns the changes; if
/// there are none, does nothing.
Expected<std::vector<std::string>> accept(Lock& lock, const LockedFiles& specs, const std::string& reason,
                                          const LockOptions& options = {}, const Context& context = {});
/// Converts a lock from format 1 to format 2, with a reason that the lock records. Returns an error if a level
/// exceeds its locked value.
std::optional<FileError> upgrade(Lock& lock, const LockedFiles& specs, const std::string& reason,
                                 const LockOptions& options = {}, const Context& context = {});

/// The formats of reports: "text", "json", "html", "markdown", "sarif", "junit", "github", "registry".
std::vector<std::string> formats_of_reports();
/// The formats that can show checks alone, and "text", which `check` leaves to its caller.
std::vector<std::string> formats_of_checks();
/// Reads a report from its JSON.
Expected<Report> read_report(const Text& json, const Context& context = {});

}  // namespace oddsbound::interface
