// What is wrong with a file, as a result says it.
#pragma once

#include <string>

#include "specs/spec_error.h"

namespace oddsbound::results {

/// A file that could not be read, whose engines disagree, or that was not come to.
struct FileError {
  SourcePlace place;
  std::string message;
  std::string hint;
  bool limit = false;    // nothing is wrong with it: a limit was reached, or a stop was asked for
  bool stopped = false;  // nothing is wrong with it: a stop was asked for before it was read

  /// The whole error, as it is printed.
  std::string text() const;
};

/// The error of a spec, and that of anything else that went wrong with a file.
FileError file_error(const SpecError& error);
FileError file_error(const std::string& file, const std::string& message);

/// The error that is being handled: to be called where something was caught. Throws on what is no std::exception.
FileError file_error_in_flight(const std::string& file);

}  // namespace oddsbound::results
