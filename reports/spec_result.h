// What analyze and verify found about one spec.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/claim_certificate.h"
#include "reports/environment.h"
#include "specs/csv.h"
#include "specs/reading.h"
#include "specs/source_file.h"
#include "specs/spec_error.h"
#include "verifier/measures/heat_maps.h"
#include "verifier/model/model.h"
#include "verifier/notions/analysis.h"
#include "verifier/notions/averages.h"
#include "verifier/notions/notion.h"
#include "verifier/notions/scope.h"
#include "verifier/smt/decide.h"

namespace oddsbound::reports {

enum class Verdict { kHolds, kRefuted, kUndecided };

struct ClaimResult {
  std::size_t index = 0;
  std::string name;
  std::string notion;
  SourcePlace place;
  bool expect_holds = true;
  Verdict verdict = Verdict::kUndecided;
  std::optional<Claimed> claimed;  // known wherever it was decided
  ClaimedScope scope{};            // what it is about, of values and adversaries
  bool tight = false;              // it is also claimed that no smaller level holds
  bool confidential = false;       // what is true depends on a confidential table
  Decision decision;               // of an undecided claim: what is known of levels that were found in part
  std::string reason;              // of an undecided claim: the limit that was reached
  std::vector<std::string> decided_by;
  std::map<std::string, double> seconds;      // by who decided
  std::optional<double> processor_seconds{};  // that it took, where somebody asked
  /// Where a second opinion was asked for, that of another engine or of a second solver: why there is none.
  std::string missing_opinion;
  /// Of a refuted claim of a spec with symbols: for which values; `decision` is about these.
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<QueryRecord> queries;

  /// What it is called that it holds: not with certainty over a set that a sample allows.
  std::string holding() const { return scope.holding(claimed && claimed->values.size() > 1); }
  /// Something is known of what is true.
  bool known() const {
    return verdict != Verdict::kUndecided || !std::holds_alternative<std::monostate>(decision.actual);
  }
  /// The verdict is as expected, and so are all opinions that were asked for.
  bool ok() const { return as_expected() && missing_opinion.empty(); }
  bool as_expected() const { return verdict == (expect_holds ? Verdict::kHolds : Verdict::kRefuted); }
  bool undecided() const { return verdict == Verdict::kUndecided || (as_expected() && !missing_opinion.empty()); }
};

/// What a spec with symbols is made of.
struct Functions {
  std::vector<std::string> symbols;  // with their ranges
  std::vector<std::string> entries;  // the distinct entries of the channel
};

/// A file that is to be written: its name is of letters, digits, '-', '.' and '_'.
struct NamedText {
  std::string name;
  std::string text;
};

/// Two that decided a claim, or answered one of its queries, and cannot both be right.
struct Disagreement {
  FileError error;
  /// What they were asked, or found, for whoever looks into it; names have the claim's spec and number.
  std::vector<NamedText> exhibits;
};

struct SpecResult {
  std::string file;
  std::string name;
  std::string description;
  std::string source;
  std::vector<SourceFile> files;    // that it was read from
  std::vector<std::string> notes;   // what is probably not meant
  std::vector<TableUse> tables;     // of the prior, that say what becomes of missing cells
  bool confidential = false;        // the prior or a set of priors depends on a table that is not published
  bool confidential_prior = false;  // the prior does
  bool rounded = false;             // what depends on that is rounded, for others (publishable.h)
  Number inputs;
  std::optional<Number> outputs;  // none if they are continuous, or unlisted
  bool unlisted = false;          // outputs are: there is code that runs, and no channel
  std::vector<std::string> coordinates;
  std::vector<std::string> public_coordinates{};  // of these, what everybody knows
  bool analyzed = true;                           // false: only claims were decided, and `analysis` is empty
  Analysis analysis;
  std::optional<Effects> effects;  // of outputs on odds, where somebody asked and there is a prior
  std::size_t left_open = 0;       // levels, curves, figures and proofs that were asked for, and a limit left undecided
  std::optional<HeatMaps> pairs;   // where figures are wanted
  std::optional<Functions> functions;  // of a spec with symbols, in place of an analysis
  std::vector<ClaimResult> claims;
  std::optional<Certificate> certificate;              // where one was asked for; a document of its own
  std::string certificate_file{};                      // where that of the verdicts was written, if anywhere
  std::optional<SpecCertificate> claim_certificate{};  // of the verdicts, likewise
  std::vector<NamedText> witness_specs{};              // priors that show levels over sets, where somebody asked
  std::optional<double> processor_seconds{};           // that all of it took, where somebody asked
  std::vector<Disagreement> disagreements;             // about claims; a report lists their errors among its own

  bool is_public(const std::string& coordinate) const {
    return std::find(public_coordinates.begin(), public_coordinates.end(), coordinate) != public_coordinates.end();
  }

  /// The level that is claimed for a coordinate (or "", where there is one for all): the least that should hold, else
  /// the least, among claims that `about` says yes to.
  struct Bound {
    Level level;
    bool expect_holds;
  };
  template <typename About>
  std::optional<Bound> claimed(const std::string& coordinate, About about) const;
};

template <typename About>
std::optional<SpecResult::Bound> SpecResult::claimed(const std::string& coordinate, About about) const {
  std::optional<Bound> bound;
  for (const ClaimResult& claim : claims) {
    const Level* level = claim.claimed ? claim.claimed->level_of(coordinate) : nullptr;
    if (level == nullptr || !claim.scope.is_everything() || !about(claim)) continue;
    const bool stricter = bound && claim.expect_holds == bound->expect_holds && *level < bound->level;
    if (!bound || (claim.expect_holds && !bound->expect_holds) || stricter) bound = Bound{*level, claim.expect_holds};
  }
  return bound;
}

// What the readers of results share: members of objects, rounded numbers, words.

/// An object of a results document. Unlike a spec's, its unknown keys are no error: later versions add some.
class ResultObject {
 public:
  ResultObject(JsonView object, std::string what);
  /// Throws SpecError at the object if there is no such key.
  JsonView require(const std::string& key) const;
  /// None if it is missing or null.
  std::optional<JsonView> find(const std::string& key) const;
  std::string string(const std::string& key) const;
  const std::vector<JsonView::Member>& members() const& { return members_; }
  std::vector<JsonView::Member> members() && { return std::move(members_); }
  JsonView view() const { return object_; }

 private:
  JsonView object_;
  std::string what_;
  std::vector<JsonView::Member> members_;
};

/// What a document that the program wrote is read with: no parameters, numbers of any length.
class ResultContext {
 public:
  ResultContext(const std::string& file, Budget& budget)
      : none_({}, {}, budget), context_{file, none_, budget, {}, files_, remarks_} {
    none_.allow_long_literals();
  }
  ResultContext(const ResultContext&) = delete;
  ResultContext& operator=(const ResultContext&) = delete;
  operator ReadingContext&() { return context_; }

 private:
  Parameters none_;
  std::vector<SourceFile> files_;
  Remarks remarks_;
  ReadingContext context_;
};

std::vector<std::string> result_strings(JsonView value, const std::string& what);
/// A JSON number (finite), or "inf" where that is allowed.
double result_double(JsonView value, const std::string& what, bool may_be_infinite = false);
/// One of the words, by its position.
std::size_t result_word(JsonView value, const std::vector<std::string>& words);
/// Throws SpecError at a witness whose sides are not of one kind and size, or whose probabilities are negative.
void require_sides(const ResultObject& object, const Witness& witness);

// Everything that `analyze` measures of a spec, as one list: text output prints it, the lock keeps it.

struct Quantity {
  std::string notion;
  std::string coordinate;  // empty for a notion that has one level
  std::string beside;      // "knowing class", "for all near": under which assumption, where it is not the plain level
  std::string kind;        // of a bound: "bound of Proposition 4"
  MeasuredLevel level;
  bool of_prior = false;    // it depends on the prior
  bool is_bound = false;    // a bound that the literature gives of a level that stands beside it
  bool for_others = false;  // its decimals are rounded up: a bound that was computed with doubles, or is confidential
  std::string words;        // which output shows it; what a bound rests on
};

/// In the order in which they are printed: levels of the whole input, then by coordinate, each with what stands beside
/// it.
std::vector<Quantity> quantities(const SpecResult& spec);

}  // namespace oddsbound::reports
