// Results of audits, statistical and exhaustive, with their JSON and text forms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "audits/outcomes.h"
#include "specs/reading.h"
#include "specs/source_file.h"
#include "verifier/model/model.h"
#include "verifier/notions/notion.h"

namespace oddsbound::reports {

/// The object that was run: the built-in sampler, a program, a caller's function, or (with a transcript) nothing.
struct SamplerUsed {
  std::string program, transcript;
  bool one_process_per_sample = false;
  std::string function{};
};

struct AuditedClaim {
  std::size_t index = 0;
  ClaimedValue claimed;  // a level, or delta
  bool expect_holds = true;
  bool contradicted = false;
  /// The claim itself, if `claimed` follows from it: "zcdp <= 1/100".
  std::string implied_by{};
};

/// About one level, or about delta at a level.
struct AuditedLevel {
  std::string notion;  // empty: the comparison follows from claims and is none of a notion
  std::string about;   // the coordinate; without a notion what is compared, "between neighbors"
  std::optional<Level> delta_at;
  double at_least = 0;
  std::optional<double> at_most;
  double ceiling = 0;  // largest possible bound from this many rounds
  double error = 0;
  bool any_time = false;  // valid at any time; else for a number of rounds fixed before
  std::string how;
  std::vector<Label> sides;  // the compared sides
  bool only_first = false;   // only the first is ever guessed
  std::string output;        // recorded runs: the output that attains the bound
  Score score;
  std::vector<AuditedClaim> claims;
  std::optional<ClaimedValue> exact;  // exact value of the stated channel, if known
  /// The bounds depend on a confidential table. Also true for a notion without a prior if the prior determined how
  /// runs were distributed over inputs. `exact` depends on the table only if the notion needs the prior.
  bool confidential = false;
  bool rounded = false;        // rounded outward for publication; scores are omitted
  bool exact_rounded = false;  // `exact` is above the level

  bool is_implied() const { return notion.empty(); }
  /// For example "bcdp sex", "approximate_dp at 1: delta", "level between neighbors, implied by claim 0".
  std::string title() const;
};

struct DeviatingEntry {
  std::vector<std::string> input;
  std::string output;  // the output with the largest deviation
  std::uint64_t count = 0, runs = 0;
  Number stated;
  std::optional<std::pair<double, double>> interval;  // for its probability
  bool as_a_whole = false;                            // the row deviates, but no single output does by itself
  bool rounded = false;                               // for publication: the interval rounded outward, without counts
};

struct AgreementResult {
  std::string untested;  // reason; empty if something was tested
  std::uint64_t inputs = 0, entries = 0;
  std::optional<double> power;
  std::vector<DeviatingEntry> deviations;
};

/// If not all inputs were tried: the tried ones, and the total number.
struct ChosenInputs {
  TriedInputs tried;
  Number of;
};

/// A lower bound of delta at an epsilon, and the bounds of delta for the stated channel.
struct AuditedDelta {
  Level epsilon;
  Number at_least;                        // a decimal, rounded down
  std::uint64_t outputs = 0;              // in the event that shows it
  std::uint64_t in_from = 0, in_to = 0;   // runs in the event
  std::optional<Number> stated_at_least;  // decimals, rounded outward; nullopt: a limit was reached
  std::optional<Number> stated_at_most;

  /// True if the sampler's delta is larger than that of the stated channel.
  bool exceeds() const { return stated_at_most && at_least > *stated_at_most; }
};

/// Lower bounds of delta at several epsilon together, from runs of one pair of inputs.
struct AuditedCurve {
  Label from, to;
  std::uint64_t runs_from = 0, runs_to = 0;
  std::vector<AuditedDelta> points;  // by increasing epsilon
};

struct StatisticalAudit {
  std::string plan;  // its name, if there is one
  SamplerUsed sampler;
  Expectation expect = Expectation::kPasses;
  std::uint64_t samples = 0, runs = 0, seed = 0;
  double error = 0;
  Interruption interrupted;
  std::optional<ChosenInputs> inputs;
  std::vector<std::string> dependence;  // how runs depend on one another
  std::string dependence_untested;      // why that was not tested
  std::optional<DependencePower> dependence_power;
  std::optional<RequestsCompared> requests;  // of different sizes, and whole ones
  std::vector<AuditedLevel> levels;
  std::optional<AuditedCurve> curve{};
  std::string no_upper;  // why there are no upper bounds
  AgreementResult agreement;
  std::vector<AnytimeLevel> history;
  std::vector<ClaimLeftOut> left_out;  // claims that the audit did not play against
  double seconds = 0;

  /// True if a claim that should hold is contradicted.
  bool contradicts_claims() const;
  /// True if delta is larger at some epsilon than that of the stated channel.
  bool exceeds_curve() const;
  /// True if inputs were compared but not all of them.
  bool leaves_inputs_out() const { return inputs && inputs->tried.compared() > 0; }
};

/// An entry of the channel, or of a choice's stated distribution, against the value derived from the code.
struct DerivedEntry {
  std::vector<std::string> input;     // its values; empty: `input_number` of a part
  std::optional<std::string> output;  // for such an input; nullopt: not an output of the mechanism
  std::uint64_t input_number = 0, output_number = 0;
  Number stated;
  std::string lower, upper;  // decimals that enclose it
};

struct DerivedChoice {
  std::string what;
  ShownBy by = ShownBy::kNothing;
  std::string reason;
  std::uint64_t runs = 0;
  std::string widest;  // decimal upper bound of the largest interval width
  bool fails = false;
  std::vector<DerivedEntry> differs;  // outcomes with another probability than stated
};

/// The derived entries and choices, unless a limit was reached.
struct Derivation {
  std::uint64_t runs = 0, entries = 0, parts = 0, inputs = 0, composed = 0;
  std::string widest;  // as in DerivedChoice
  std::vector<DerivedChoice> choices;
  std::vector<DerivedEntry> differs, intervals;
};

struct ExhaustiveAudit {
  std::optional<Derivation> derived;
  std::string reason;     // for an undecided audit
  bool accepted = false;  // unproved choices were accepted
};

struct AuditResult {
  std::string file;
  std::string name;
  std::vector<SourceFile> files;
  std::variant<StatisticalAudit, ExhaustiveAudit> found;
  bool confidential = false;  // the prior or a set of priors depends on an unpublished table
  std::string note{};         // about what is rounded for publication

  const StatisticalAudit* statistical() const { return std::get_if<StatisticalAudit>(&found); }
  const ExhaustiveAudit* exhaustive() const { return std::get_if<ExhaustiveAudit>(&found); }

  /// Statistical: "passes", "passes for the inputs tried", "contradicted", "deviates", "interrupted". Exhaustive:
  /// "passes", "passes except", "fails", "undecided".
  std::string verdict() const;
  /// True if the verdict is as expected.
  bool ok() const;
  /// True if a limit was reached, or something was neither proved nor accepted.
  bool undecided() const;
  /// True if a program misbehaved.
  bool failed() const;
  /// True if the audit passes except for unproved choices.
  bool excepted() const { return verdict() == "passes except"; }
};

// Text of audits, the same in every report.

/// The summary of an audit, without indentation.
std::vector<std::string> summary_lines(const AuditResult& audit);
/// For a terminal: what was audited, and all findings.
std::string audit_text(const AuditResult& audit);
/// The basis of a bound, for example "120 of 200 guesses right, ...".
std::string game_words(const AuditedLevel& level, const StatisticalAudit& audit);
/// The exact level of the stated channel: as text, or rounded up for publication. Empty if unknown.
std::string exact_level_words(const AuditedLevel& level);
/// "built in", "the program ...", "recorded runs, file"
std::string sampler_words(const AuditResult& audit);
/// "not contradicted", "contradicted, as it should be", "CONTRADICTED"
std::string contradicted_words(const AuditedClaim& claim);
/// "99 %"
std::string confidence_words(double error);

/// An indented line about a claim that the audit does not play against.
std::string left_out_words(const ClaimLeftOut& claim);

/// Indented parts of the text: numbers of runs, bounds, agreement with the stated channel, and what was derived from
/// the code.
std::string runs_text(const AuditResult& audit);
std::string bounds_text(const StatisticalAudit& audit);
std::string agreement_text(const AuditResult& audit);
std::string derivation_text(const AuditResult& audit);

}  // namespace oddsbound::reports
