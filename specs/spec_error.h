// The error for anything wrong in a user's file: where, what was found, what was expected. Also "did you mean" hints
// for unknown words.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/characters.h"  // `printable`, for code that builds messages
#include "base/namespaces.h"
#include "oddsbound/expected.h"

namespace oddsbound::specs {

class SpecError : public std::runtime_error {
 public:
  SpecError(SourcePlace place, const std::string& message, std::string hint = "");
  const SourcePlace& place() const { return place_; }
  const std::string& message() const { return message_; }
  const std::string& hint() const { return hint_; }

 private:
  SourcePlace place_;
  std::string message_;
  std::string hint_;
};

/// Several errors of one file, in the order in which they were found. The exception itself is the first one.
class SpecErrors : public SpecError {
 public:
  explicit SpecErrors(std::vector<SpecError> errors) : SpecError(errors.at(0)), all_(std::move(errors)) {}
  const std::vector<SpecError>& all() const { return all_; }

 private:
  std::vector<SpecError> all_;
};

/// The errors of the parts of a file that can be read without one another, ten at most.
class FoundErrors {
 public:
  /// Runs `work` and keeps its SpecError. Returns false if there was one. Throws at the last error that is kept, and
  /// if a limit ends the reading after an error.
  template <typename Work>
  bool attempt(Work work) {
    try {
      work();
      return true;
    } catch (const SpecError& error) {
      if (errors_.size() == kMost) throw;  // by an attempt within `work`
      add(error);
      return false;
    } catch (const std::exception&) {
      finish();
      throw;
    }
  }

  bool is_empty() const { return errors_.empty(); }
  /// Throws what was found.
  void finish() const;

 private:
  static constexpr std::size_t kMost = 10;
  void add(const SpecError& error);

  std::vector<SpecError> errors_;
};

// The errors of files as values

/// The error of a spec, or any other error of a file.
FileError file_error(const SpecError& error);
FileError file_error(const std::string& file, const std::string& message);

/// Returns the exception being handled as an error; call it in a catch block. Rethrows anything that is no
/// std::exception.
FileError file_error_in_flight(const std::string& file);
/// The same as a list, instead of FileError::more.
std::vector<FileError> file_errors_in_flight(const std::string& file);
/// Appends the error, and its further errors as errors of their own.
void add_errors(FileError error, std::vector<FileError>& list);

// Hints: the known word nearest to an unknown one

/// Returns "did you mean 'x'?", or "" if no known word is near.
std::string suggestion(std::string_view unknown, std::span<const std::string> known);

/// Returns "a, b or c". Lists of more than 48 words are cut to 12, and any list after some 1000 characters, with "and
/// N more".
std::string listing(std::span<const std::string> words);

}  // namespace oddsbound::specs
