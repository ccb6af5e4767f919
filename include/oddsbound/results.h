// Specs and results as values (included by oddsbound/oddsbound.h). A result has a few members for programs; `render`
// writes all of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "oddsbound/expected.h"
#include "oddsbound/level.h"
#include "oddsbound/number.h"
#include "oddsbound/options.h"

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

}  // namespace oddsbound::interface
