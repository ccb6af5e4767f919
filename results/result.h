// What a run found: the one type that every report is written from.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "specs/spec.h"
#include "verifier/measures/losses_between.h"
#include "verifier/notions/analysis.h"
#include "verifier/smt/decide.h"

namespace oddsbound {

enum class Verdict { kHolds, kRefuted, kUndecided };

struct ClaimResult {
  std::size_t index = 0;
  std::string name;
  std::string notion;
  SourcePlace place;
  bool expect_holds = true;
  Verdict verdict = Verdict::kUndecided;
  Claimed claimed;
  bool tight = false;  // it is also claimed that no smaller level holds
  Decision decision;   // unless undecided
  std::string reason;  // of an undecided claim: the limit that was reached
  std::vector<std::string> decided_by;
  std::map<std::string, double> seconds;  // by who decided
  /// Where a second opinion was asked for, that of another engine or of a second solver: why there is none.
  std::string missing_opinion;
  /// Of a refuted claim of a spec with symbols: for which values; `decision` is about these.
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<QueryRecord> queries;

  /// The verdict is as expected.
  bool ok() const { return as_expected() && missing_opinion.empty(); }
  bool as_expected() const { return verdict == (expect_holds ? Verdict::kHolds : Verdict::kRefuted); }
  bool undecided() const { return verdict == Verdict::kUndecided || (as_expected() && !missing_opinion.empty()); }
};

/// A file that could not be read.
struct FileError {
  SourcePlace place;
  std::string message;
  std::string hint;
  std::string text;  // the whole error, as it is printed
};

/// The error of a spec, and that of anything else that went wrong with a file.
FileError file_error(const SpecError& error);
FileError file_error(const std::string& file, const std::string& message);

/// What a spec with symbols is made of.
struct Functions {
  std::vector<std::string> symbols;  // with their ranges
  std::vector<std::string> entries;  // the distinct entries of the channel
};

struct SpecResult {
  std::string file;
  std::string name;
  std::string description;
  std::string source;
  std::vector<SourceFile> files;  // that it was read from
  Number inputs;
  std::optional<Number> outputs;  // none if they are continuous
  std::vector<std::string> coordinates;
  Analysis analysis;
  std::size_t left_open = 0;           // levels, curves and figures that were asked for, and a limit left undecided
  std::optional<Pairwise> pairs;       // where figures are wanted
  std::optional<Functions> functions;  // of a spec with symbols, in place of an analysis
  std::vector<ClaimResult> claims;
  std::vector<FileError> disagreements;  // of engines about a claim
};

struct RunResult {
  std::vector<SpecResult> specs;
  std::vector<FileError> errors;

  std::size_t claims() const;
  std::size_t ok() const;
  std::size_t undecided() const;
  std::size_t failed() const { return claims() - ok() - undecided(); }
  /// 0: all as expected; 1: some claim was not; 2: a file is wrong; 3: nothing failed, something stayed undecided, a
  /// claim or what else was asked for.
  int exit_status() const;
};

}  // namespace oddsbound
