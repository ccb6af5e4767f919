// What a run of analyze, verify or audit found, or what several documents say together: the one result that every
// format is written from, to JSON and back without loss of anything that is written.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "reports/audit_result.h"
#include "reports/environment.h"
#include "reports/fields.h"
#include "reports/spec_result.h"
#include "specs/json_document.h"

namespace oddsbound::reports {

/// The program that found it, and what that ran on.
struct MadeWith {
  std::string version;
  std::vector<std::pair<std::string, std::string>> environment;

  static MadeWith this_program();
};

struct Report {
  /// kLevels: what analyze found; kSpecs: what verify did.
  enum class Kind { kSpecs, kLevels, kStatistical, kExhaustive } kind = Kind::kSpecs;
  MadeWith made_with;
  std::string bound;  // of kExhaustive: the mass that may be cut off
  std::vector<SpecResult> specs;
  std::vector<AuditResult> audits;
  std::vector<FileError> errors;

  /// An empty one, made by this program.
  static Report of_this_program(Kind kind);

  std::size_t claims() const;
  std::size_t ok() const;
  std::size_t undecided() const;
  std::size_t failed() const { return claims() - ok() - undecided(); }
  /// 0: all as expected; 1: some claim or audit was not; 2: a file is wrong, or a program failed; 3: nothing failed,
  /// something stayed undecided, a claim or what else was asked for.
  int exit_status() const;
  /// Files that something is wrong with; the other errors are of files that were not come to.
  std::size_t wrong_files() const;
  /// Takes over what another document says.
  void add(Report other);
};

/// The JSON document of the result format, version 1 (docs/result-format.md).
std::string to_json(const Report& report);

/// The same read back. Throws SpecError at whatever is not what the format says, or contradicts itself; keys that it
/// does not name are passed over.
Report report_from_json(const JsonDocument& document, Budget& budget);

// Documents of one result: the head that all have in common, and its fields. For the files of results alone (heavy
// library).

/// The head and the fields of a result as one document.
template <typename Result>
std::string document_of(const Result& result) {
  nlohmann::ordered_json json = json_head();
  json.update(written(result));
  return json_text(json);
}

/// Reads what document_of wrote. Throws SpecError.
template <typename Result>
Result read_document(const JsonDocument& document, Budget& budget) {
  ResultContext context(document.file(), budget);
  return Codec<Result>::read(document.root(), context);
}

}  // namespace oddsbound::reports
