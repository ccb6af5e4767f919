// The result of a run of analyze, verify or audit, or of several documents together. Every format is written from it.
// JSON preserves everything that is written.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "reports/audit_result.h"
#include "reports/spec_result.h"
#include "specs/json_document.h"

namespace oddsbound::reports {

/// The program and environment that computed the result.
struct MadeWith {
  std::string version;
  /// ("system", "Linux 6.1 x86_64"), ("compiler", "GCC 12.2.0"), ("Arb", "2.23.0"), ...
  std::vector<std::pair<std::string, std::string>> environment;

  static MadeWith this_program();
};

struct Report {
  /// kLevels: result of analyze; kSpecs: result of verify.
  enum class Kind { kSpecs, kLevels, kStatistical, kExhaustive } kind = Kind::kSpecs;
  MadeWith made_with;
  std::string bound;  // kExhaustive: the mass that may be cut off
  std::vector<SpecResult> specs;
  std::vector<AuditResult> audits;
  std::vector<FileError> errors;

  /// An empty report of this program.
  static Report of_this_program(Kind kind);

  std::size_t claims() const;
  std::size_t ok() const;
  std::size_t undecided() const;
  std::size_t failed() const { return claims() - ok() - undecided(); }
  /// 0: all as expected; 1: some claim or audit was not; 2: an error in a file or program; 3: no failure, but
  /// something is undecided.
  int exit_status() const;
  /// Number of files with an error. A file may have several. The other errors are of skipped files.
  std::size_t wrong_files() const;
  std::size_t skipped_files() const;
  /// Adds the contents of another document.
  void add(Report other);
};

/// The JSON document of the result format, version 1 (docs/result-format.md).
std::string to_json(const Report& report);

/// Reads it back. Throws SpecError at anything that violates the format or contradicts itself. Unknown keys are
/// ignored.
Report report_from_json(const JsonDocument& document, Budget& budget);

}  // namespace oddsbound::reports
