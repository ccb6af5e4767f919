// What CI is told: a list of checks with their outcome, place and words. Results of verify and audit and comparisons
// with a privacy lock all become this; SARIF, JUnit, annotations and Markdown are written from them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/report.h"

namespace oddsbound::reports {

enum class Outcome { kPass, kNote, kFail, kUndecided, kError };

struct Check {
  std::string rule;   // "bcdp", "audit", "lock", "file": what kind of check
  std::string suite;  // the file it is about
  std::string title;  // "bcdp x1 <= log(2)"
  Outcome outcome = Outcome::kPass;
  std::string message;  // what was found, in words, with the witness
  SourcePlace place;
  std::vector<std::pair<std::string, std::string>> facts;  // exact values, by name
  std::string certificate{};                               // the file that shows it to others, if there is one
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

/// Of a file that could not be read, or was not come to.
Check check_of(const FileError& error);
/// The exit status that follows from checks alone: 2 an error, 1 a failure, 3 something undecided, else 0.
int status_of(const Checks& checks);

/// Every claim, audit and error of a report.
Checks checks_of(const Report& report, int exit_status);

}  // namespace oddsbound::reports
