// What the formats for people and for CI are written from (HTML, Markdown, SARIF, JUnit, annotations): the results of
// verify, analyze and audit as their JSON documents tell them, whether the document was just made or is read from a
// file. Decisions are those of the document; numbers here are for drawing.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "specs/json_document.h"
#include "specs/source_file.h"
#include "verifier/exact/level.h"

namespace oddsbound {

/// A level for drawing: nats rounded (infinity where it is), with the exact text.
struct ReportLevel {
  std::string epsilon;
  double nats = 0;
  std::string witness;  // in words
};

struct ReportNumber {
  std::string text;
  double value = 0;
};

/// By coordinate, in their order.
template <typename T>
using ByName = std::vector<std::pair<std::string, T>>;

struct ReportClaim {
  std::string name, notion;
  SourcePlace place;
  std::string verdict;  // "holds", "refuted" or "undecided"
  std::string expect;
  bool ok = false;
  bool undecided = false;  // by a limit, or for want of a second opinion
  std::string claim, verdict_in_words, found, witness;
  std::vector<std::string> decided_by;
  std::vector<std::pair<std::string, std::string>> facts;  // what was claimed and what is true, exactly
  std::map<std::string, Level> claimed;  // by coordinate, or under "" a single level; of ldp, bdp, cdp, bcdp, secret
};

/// [from][to]
struct ReportLosses {
  std::vector<std::string> sides;
  std::vector<std::vector<Level>> levels;
};

struct ReportCurve {
  std::string from, to;
  std::vector<std::pair<double, double>> vertices;
};

struct ReportSpec {
  std::string file, name, description, source;
  std::vector<SourceFile> files;
  std::vector<std::string> coordinates;
  std::string inputs, outputs;
  std::optional<ReportLevel> ldp, bdp;
  ByName<ReportLevel> cdp, bcdp, proposition_4;
  ByName<ReportNumber> correlation;
  std::map<std::string, std::string> undecided;  // level: why
  std::vector<std::string> symbols;              // of a spec with symbols, which has no levels
  std::optional<ReportLosses> input_losses;
  ByName<ReportLosses> value_losses;
  ByName<ByName<ReportNumber>> correlation_between;
  std::optional<ReportCurve> input_curve;
  ByName<ReportCurve> value_curves;
  std::vector<ReportClaim> claims;
  std::optional<std::vector<std::vector<Level>>> claimed_matrix;  // of the first context_ldp claim

  /// The level that is claimed for a coordinate (or "" for ldp): the least that should hold, else the least.
  struct Bound {
    Level level;
    bool expect_holds;
  };
  std::optional<Bound> claimed(const std::string& notion, const std::string& coordinate) const;
};

struct ReportAuditClaim {
  std::size_t index = 0;
  std::string claimed;
  double value = 0;
  bool expect_holds = true;
  bool contradicted = false;
};

struct ReportAuditLevel {
  std::string title;  // "bcdp sex", "approximate_dp at 1: delta"
  double at_least = 0;
  std::optional<double> at_most, ceiling;
  std::string exact;  // empty: not known
  double exact_value = 0;
  std::string words;
  std::vector<ReportAuditClaim> claims;
};

struct ReportEvidence {
  std::string title;
  double threshold = 0;
  std::vector<std::pair<double, double>> points;  // runs, log evidence
};

struct ReportAudit {
  std::string file, name, kind, sampler, verdict, expect, seed, confidence, reason;
  std::vector<SourceFile> files;
  bool ok = false;
  bool undecided = false;
  bool failed = false;    // a program did not do what it should
  bool excepted = false;  // passes, but for choices of which nothing was shown
  std::uint64_t runs = 0;
  std::vector<std::string> words;
  std::vector<ReportAuditLevel> levels;
  std::vector<ReportEvidence> evidence;
};

struct ReportError {
  SourcePlace place;
  std::string message, hint;
};

struct Report {
  std::string version;
  ByName<std::string> environment;
  std::vector<ReportSpec> specs;
  std::vector<ReportAudit> audits;
  std::vector<ReportError> errors;
};

/// Adds a document's results to a report. Throws SpecError at whatever is not what the format says
/// (docs/result-format.md); keys that it does not name are passed over.
void read_results(const JsonDocument& document, Budget& budget, Report& report);

}  // namespace oddsbound
