// Parts of every result: the environment it was computed in, errors of files, and the head of JSON documents.
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

// Errors of files in a result

/// A file that could not be read, whose engines disagree, or that was skipped.
struct FileError {
  SourcePlace place;
  std::string message;
  std::string hint;
  bool limit = false;    // no error in the file: a limit was reached, or a stop was requested
  bool stopped = false;  // no error in the file: a stop was requested before it was read

  /// The full error message, as printed.
  std::string text() const;
};

/// The error of a spec, or any other error of a file.
FileError file_error(const SpecError& error);
FileError file_error(const std::string& file, const std::string& message);

/// Returns the exception being handled as an error; call it in a catch block. Rethrows anything that is no
/// std::exception.
FileError file_error_in_flight(const std::string& file);

// JSON helpers of all documents. Include only in files of results, app, reports and cli (heavy library).

/// Returns {"oddsbound": 1, "tool": ...}, the head of every document. version: of the program that computed the
/// result; default: this program.
nlohmann::ordered_json json_head();
nlohmann::ordered_json json_head(const std::string& version);

/// The document as text, for strings with arbitrary bytes.
std::string json_text(const nlohmann::ordered_json& document);

/// One line of JSON, for documents that are assembled from lines.
std::string one_line(const nlohmann::ordered_json& part);

}  // namespace oddsbound::reports
