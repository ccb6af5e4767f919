// What a result was computed with: for the record of a report.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/namespaces.h"
#include "specs/spec_error.h"

namespace oddsbound::reports {

/// ("system", "Linux 6.1 x86_64"), ("compiler", "GCC 12.2.0"), ("Arb", "2.23.0"), ...
std::vector<std::pair<std::string, std::string>> environment();

// What is wrong with a file, as a result says it.

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

// What all JSON documents of the program have in common. For the files of results, runs, reports and cli only (heavy
// library).

/// {"oddsbound": 1, "tool": ...}: how every document begins. version: of the program that found what it says, this one
/// unless it is given.
nlohmann::ordered_json json_head();
nlohmann::ordered_json json_head(const std::string& version);

/// The document as text, whatever bytes its strings hold.
std::string json_text(const nlohmann::ordered_json& document);

/// A part of one, for documents that are put together from lines.
std::string one_line(const nlohmann::ordered_json& part);

}  // namespace oddsbound::reports
