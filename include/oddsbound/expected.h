// A value, or the error of the file or text it should have come from.
#pragma once

#include <cassert>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace oddsbound {

/// A place in a file. Lines and columns count from 1; 0 means unknown. The pointer is a JSON pointer (RFC 6901).
struct SourcePlace {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
  std::string pointer;
};

/// A file that could not be read, whose engines disagree, or that was skipped.
struct FileError {
  SourcePlace place;
  std::string message;
  std::string hint;
  bool limit = false;    // no error in the file: a limit was reached, or a stop was requested
  bool stopped = false;  // no error in the file: a stop was requested before it was read
  /// Further errors of the same file.
  std::vector<FileError> more{};

  /// The full error message, as printed; without further errors.
  std::string text() const;
};

template <typename T>
class [[nodiscard]] Expected {
 public:
  // Implicit, so that functions can return either.
  Expected(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Expected(FileError error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }
  /// The value. Precondition: there is one.
  T& operator*() {
    assert(*this);
    return *std::get_if<0>(&state_);
  }
  const T& operator*() const {
    assert(*this);
    return *std::get_if<0>(&state_);
  }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }
  /// The error, with its place. Precondition: there is no value.
  const FileError& error() const {
    assert(!*this);
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<T, FileError> state_;
};

}  // namespace oddsbound
