// The checks that CI reports: outcome, place and text. Results of verify and audit and comparisons with a privacy
// lock all become checks; SARIF, JUnit, annotations and Markdown are written from them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/report.h"

namespace oddsbound::reports {

enum class Outcome { kPass, kNote, kFail, kUndecided, kError };

struct Check {
  std::string rule;   // kind of check: "bcdp", "audit", "lock", "file"
  std::string suite;  // the file it is about
  std::string title;  // "bcdp x1 <= log(2)"
  Outcome outcome = Outcome::kPass;
  std::string message;  // the finding as text, with the witness
  SourcePlace place;
  std::vector<std::pair<std::string, std::string>> facts;  // exact values, by name
  std::string certificate{};                               // file with the proof, if there is one
  std::string brief{};  // of a lock, in place of the message: "0.546 -> 0.846 (odds factor 1.73 -> 2.33)"
  double growth = 0;    // of a lock: by how many nats the promise is exceeded; the worst is shown first

  std::string identity{};  // a title that does not change with the wording; empty: the title

  /// The title with the brief text, or with the message.
  std::string line() const;
};

struct Checks {
  std::vector<Check> list;
  std::vector<SourceFile> files;
  int exit_status = 0;

  std::size_t count(Outcome outcome) const;
  /// Neither a pass nor a note.
  static bool is_bad(Outcome outcome) { return outcome != Outcome::kPass && outcome != Outcome::kNote; }
};

/// "pass", "note", "fail", "undecided", "error"
std::string outcome_word(Outcome outcome);

/// For a file that could not be read, or was skipped.
Check check_of(const FileError& error);
/// The exit status of the checks alone: 2 error, 1 failure, 3 undecided, else 0.
int status_of(const Checks& checks);

/// Returns the checks that did not pass: failures and errors first, the largest growth first, then what is undecided,
/// then notes.
std::vector<const Check*> worst_first(const Checks& checks);

/// One check per claim, audit and error of a report.
Checks checks_of(const Report& report, int exit_status);

}  // namespace oddsbound::reports
