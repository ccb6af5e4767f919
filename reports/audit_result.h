// What an audit found: by statistics, or by exhaustion.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
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

/// What was run: the built-in sampler, a program, a caller's function, or (with a transcript) nothing.
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
};

/// About one level, or about delta at a level.
struct AuditedLevel {
  std::string notion, about;
  std::optional<Level> delta_at;
  double at_least = 0;
  std::optional<double> at_most;
  double ceiling = 0;  // no bound from as many rounds could be larger
  double error = 0;
  bool any_time = false;  // the bound holds at every time; else for a number of rounds set before
  std::string how;
  std::vector<Label> sides;  // that were told apart
  bool only_first = false;   // only the first is ever guessed
  std::string output;        // of recorded runs: what the bound rests on
  Score score;
  std::vector<AuditedClaim> claims;
  std::optional<ClaimedValue> exact;  // of the stated channel, where it is known
  /// The bounds depend on a confidential table: also where the notion needs no prior, if runs were shared out among
  /// inputs by the prior. `exact` does only if the notion needs it.
  bool confidential = false;
  bool rounded = false;        // outward, for others: no scores are shown
  bool exact_rounded = false;  // `exact` lies above the level

  /// "bcdp sex", "approximate_dp at 1: delta"
  std::string title() const;
};

struct DeviatingEntry {
  std::vector<std::string> input;
  std::string output;  // the one that deviates most
  std::uint64_t count = 0, runs = 0;
  Number stated;
  std::optional<std::pair<double, double>> interval;  // in which its probability lies
  bool as_a_whole = false;                            // the row deviates, no single output does by itself
  bool rounded = false;                               // for others: the interval outward, without counts
};

struct AgreementResult {
  std::string untested;  // why, if nothing could be tested
  std::uint64_t inputs = 0, entries = 0;
  std::optional<double> power;
  std::vector<DeviatingEntry> deviations;
};

/// Where not all inputs were tried: those that were, and of how many.
struct ChosenInputs {
  TriedInputs tried;
  Number of;
};

struct StatisticalAudit {
  std::string plan;  // its name, if there is one
  SamplerUsed sampler;
  Expectation expect = Expectation::kPasses;
  std::uint64_t samples = 0, runs = 0, seed = 0;
  double error = 0;
  Interruption interrupted;
  std::optional<ChosenInputs> inputs;
  std::vector<std::string> dependence;  // how runs were seen to depend on one another
  std::string dependence_untested;      // why that could not be seen
  std::optional<DependencePower> dependence_power;
  std::optional<RequestsCompared> requests;  // of different sizes, and whole ones
  std::vector<AuditedLevel> levels;
  std::string no_upper;  // why there are no upper bounds
  AgreementResult agreement;
  std::vector<AnytimeLevel> history;
  std::vector<ClaimLeftOut> left_out;  // claims that nobody played against
  double seconds = 0;

  /// A claim that should hold is contradicted.
  bool contradicts_claims() const;
  /// Inputs were compared, and there are others.
  bool leaves_inputs_out() const { return inputs && inputs->tried.compared() > 0; }
};

/// An entry of the channel, or of the distribution that a choice states, against what was derived from the code.
struct DerivedEntry {
  std::vector<std::string> input;     // its values; empty: `input_number` of a part
  std::optional<std::string> output;  // of such an input: none if the mechanism does not have it
  std::uint64_t input_number = 0, output_number = 0;
  Number stated;
  std::string lower, upper;  // decimals that enclose it
};

struct DerivedChoice {
  std::string what;
  ShownBy by = ShownBy::kNothing;
  std::string reason;
  std::uint64_t runs = 0;
  std::string widest;  // a decimal, no less than the width of the widest interval
  bool fails = false;
  std::vector<DerivedEntry> differs;  // outcomes whose probability is not the stated one
};

/// What was derived, unless a limit was reached.
struct Derivation {
  std::uint64_t runs = 0, entries = 0, parts = 0, inputs = 0, composed = 0;
  std::string widest;  // as of a choice
  std::vector<DerivedChoice> choices;
  std::vector<DerivedEntry> differs, intervals;
};

struct ExhaustiveAudit {
  std::optional<Derivation> derived;
  std::string reason;     // of an undecided one
  bool accepted = false;  // choices of which nothing could be shown do not count
};

struct AuditResult {
  std::string file;
  std::string name;
  std::vector<SourceFile> files;
  std::variant<StatisticalAudit, ExhaustiveAudit> found;
  bool confidential = false;  // the prior or a set of priors depends on a table that is not published
  std::string note{};         // of what is rounded for others

  const StatisticalAudit* statistical() const { return std::get_if<StatisticalAudit>(&found); }
  const ExhaustiveAudit* exhaustive() const { return std::get_if<ExhaustiveAudit>(&found); }

  /// "passes", "passes for the inputs tried", "contradicted", "deviates", "interrupted" by statistics; "passes",
  /// "passes except", "fails", "undecided" by exhaustion.
  std::string verdict() const;
  /// The verdict is as expected.
  bool ok() const;
  /// A limit was reached, or something was not shown and not accepted.
  bool undecided() const;
  /// A program did not do what it should.
  bool failed() const;
  /// Passes, but for choices of which nothing was shown.
  bool excepted() const { return verdict() == "passes except"; }
};

// What an audit found as JSON, and back. For the files of results alone (heavy library).

class FieldReader;
class FieldWriter;

nlohmann::ordered_json audit_json(const AuditResult& audit);
/// Throws SpecError also where verdict and findings contradict one another.
AuditResult read_audit_result(JsonView json, ReadingContext& context);

/// The parts of both kinds of audits.
void write_statistical(FieldWriter& fields, const AuditResult& result);
void read_statistical(FieldReader& fields, StatisticalAudit& audit);
void write_exhaustive(FieldWriter& fields, const AuditResult& result);
void read_exhaustive(FieldReader& fields, ExhaustiveAudit& audit);
/// What is said of the audit as a whole, line by line.
nlohmann::ordered_json summary_words(const AuditResult& audit);

template <typename Fields>
void describe(Fields& fields, ClaimLeftOut& left_out) {
  fields.object("a claim that is left out");
  fields.field("index", left_out.claim);
  fields.field("what", left_out.what);
  fields.field("reason", left_out.reason);
}

// Audits in words, the same in every report.

/// What is said of an audit as a whole; lines without indentation.
std::vector<std::string> summary_lines(const AuditResult& audit);
/// For a terminal: what was audited, and all that was found.
std::string audit_text(const AuditResult& audit);
/// "120 of 200 guesses right, ...": what a bound rests on.
std::string game_words(const AuditedLevel& level, const StatisticalAudit& audit);
/// The exact level of the stated channel: as text, or rounded up where that is for others; empty if it is not known.
std::string exact_level_words(const AuditedLevel& level);
/// "built in", "the program ...", "recorded runs, file"
std::string sampler_words(const AuditResult& audit);
/// "99 %"
std::string confidence_words(double error);

/// An indented line about a claim that nobody plays against.
std::string left_out_words(const ClaimLeftOut& claim);

/// The parts of it, indented: how many runs there were, the bounds that they show, whether they agree with the stated
/// channel; what was derived from the code.
std::string runs_text(const AuditResult& audit);
std::string bounds_text(const StatisticalAudit& audit);
std::string agreement_text(const AuditResult& audit);
std::string derivation_text(const AuditResult& audit);

}  // namespace oddsbound::reports
