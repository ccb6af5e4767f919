// What a run found: the one type that every report is written from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "specs/spec.h"
#include "verifier/privacy/analysis.h"

namespace oddsbound {

enum class Verdict { kHolds, kRefuted, kUndecided };

struct ClaimResult {
  std::size_t index = 0;
  std::string name;
  std::string notion;
  SourcePlace place;
  bool expect_holds = true;
  Verdict verdict = Verdict::kUndecided;
  Decision decision;   // unless undecided
  std::string reason;  // of an undecided claim: the limit that was reached
  std::vector<std::string> decided_by;

  /// The verdict is as expected.
  bool ok() const { return verdict == (expect_holds ? Verdict::kHolds : Verdict::kRefuted); }
};

struct SpecResult {
  std::string file;
  std::string name;
  std::string description;
  Number inputs;
  std::optional<Number> outputs;  // none if they are continuous
  std::vector<std::string> coordinates;
  Analysis analysis;
  std::vector<ClaimResult> claims;
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

struct RunResult {
  std::vector<SpecResult> specs;
  std::vector<FileError> errors;

  std::size_t claims() const;
  std::size_t ok() const;
  std::size_t undecided() const;
  std::size_t failed() const { return claims() - ok() - undecided(); }
  /// 0: all as expected; 1: some claim was not; 2: a file is wrong; 3: nothing failed, something stayed undecided.
  int exit_status() const;
};

}  // namespace oddsbound
