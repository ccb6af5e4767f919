// The results of analyze and verify for one spec, and helpers for reading result documents.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "oddsbound/options.h"
#include "reports/claim_certificate.h"
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
  std::optional<Claimed> claimed;  // known whenever the claim was decided
  ClaimedScope scope{};            // the values and adversaries it is about
  bool tight = false;              // also claims that no smaller level holds
  bool confidential = false;       // the actual value depends on a confidential table
  Decision decision;               // undecided claim: the known part of its levels
  std::string reason;              // undecided claim: the limit that was reached
  std::vector<std::string> decided_by;
  std::map<std::string, double> seconds;      // by engine
  std::optional<double> processor_seconds{};  // if requested
  /// Why a requested second opinion (another engine or solver) is missing.
  std::string missing_opinion;
  /// Refuted claim of a spec with symbols: the values; `decision` is about these.
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<QueryRecord> queries;

  /// The word for "holds"; differs for a set of priors that holds the true prior only with some confidence.
  std::string holding() const { return scope.holding(claimed && claimed->values.size() > 1); }
  /// True if something about the actual value is known.
  bool known() const {
    return verdict != Verdict::kUndecided || !std::holds_alternative<std::monostate>(decision.actual);
  }
  /// True if the verdict is as expected and no requested opinion is missing.
  bool ok() const { return as_expected() && missing_opinion.empty(); }
  bool as_expected() const { return verdict == (expect_holds ? Verdict::kHolds : Verdict::kRefuted); }
  bool undecided() const { return verdict == Verdict::kUndecided || (as_expected() && !missing_opinion.empty()); }
};

/// The symbols and entries of a spec with symbols.
struct Functions {
  std::vector<std::string> symbols;  // with their ranges
  std::vector<std::string> entries;  // distinct entries of the channel
};

/// A file to write. Its name has only letters, digits, '-', '.' and '_'.
struct NamedText {
  std::string name;
  std::string text;
};

/// A contradiction between two engines (or solvers) about a claim or one of its queries.
struct Disagreement {
  FileError error;
  /// The inputs and answers of both, for debugging. File names contain the claim's spec and number.
  std::vector<NamedText> exhibits;
};

struct SpecResult {
  std::string file;
  std::string name;
  std::string description;
  std::string source;
  std::vector<SourceFile> files;    // files it was read from
  std::vector<std::string> notes;   // warnings about probable mistakes
  std::vector<TableUse> tables;     // tables of the prior with a rule for missing cells
  bool confidential = false;        // the prior or a set of priors depends on an unpublished table
  bool confidential_prior = false;  // the prior does
  bool rounded = false;             // rounded for publication (publishable.h)
  /// A printed matrix: all levels are bounds for all matrices that agree with it.
  std::optional<RowTolerance> row_tolerance{};
  Number inputs;
  std::optional<Number> outputs;  // nullopt if continuous or unlisted
  bool unlisted = false;          // unlisted outputs: there is code to run, but no channel
  std::vector<std::string> coordinates;
  std::vector<std::string> public_coordinates{};  // coordinates that everybody knows
  bool analyzed = true;                           // false: only claims were decided; `analysis` is empty
  Analysis analysis;
  std::optional<Effects> effects;      // of outputs on odds, if requested and there is a prior
  std::size_t left_open = 0;           // requested levels, curves, figures and proofs left undecided by a limit
  std::optional<HeatMaps> pairs;       // if figures are requested
  std::optional<Functions> functions;  // spec with symbols: replaces the analysis
  std::vector<ClaimResult> claims;
  std::optional<Certificate> certificate;              // if requested; a separate document
  std::string certificate_file{};                      // path of the certificate of the verdicts, if written
  std::optional<SpecCertificate> claim_certificate{};  // of the verdicts, if requested
  std::vector<NamedText> witness_specs{};              // priors that attain levels over sets, if requested
  std::optional<double> processor_seconds{};           // in total, if requested
  std::vector<Disagreement> disagreements;             // about claims; a report also lists their errors

  bool is_public(const std::string& coordinate) const {
    return std::find(public_coordinates.begin(), public_coordinates.end(), coordinate) != public_coordinates.end();
  }

  /// The level claimed for a coordinate ("": one level for all), among the claims that `about` accepts. The smallest
  /// level that should hold; if there is none, the smallest level.
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

// Readers of results: members of objects, rounded numbers, words

/// An object of a result document. Unlike in a spec, unknown keys are allowed, because later versions add some.
class ResultObject {
 public:
  ResultObject(JsonView object, std::string what);
  /// Throws SpecError at the object if the key is missing.
  JsonView require(const std::string& key) const;
  /// Returns nullopt if the key is missing or null.
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

/// The context for reading a document of this program: no parameters, numbers of any length.
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
/// Reads a finite JSON number, or "inf" if allowed.
double result_double(JsonView value, const std::string& what, bool may_be_infinite = false);
/// Returns the index of the word.
std::size_t result_word(JsonView value, const std::vector<std::string>& words);
/// Throws SpecError at a witness whose sides differ in kind or size, or with negative probabilities.
void require_sides(const ResultObject& object, const Witness& witness);

}  // namespace oddsbound::reports
