// Errors of exact numbers, of models and of the limits of a run. All other user errors are a SpecError
// (specs/spec_error.h), which wraps these with a place in a file.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "base/namespaces.h"

namespace oddsbound::base {

// Messages quote numbers and names from files, which may have millions of characters. LimitError, SpecError,
// FileError and the command line shorten a message when they take it, so code that words a message need not.

/// Maximum length of a message in bytes, excluding its file name, place and hint.
inline constexpr std::size_t kLongestMessage = 1500;

/// Returns the text; if it is longer than `longest` bytes, the middle is cut out between characters.
std::string shortened(std::string_view text, std::size_t longest = kLongestMessage);

/// A number or level outside the grammar, without an exact representation, or undefined (1/0).
class NumberError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A model that contradicts itself: a row that does not sum to 1, an event of mass 0, mismatched shapes.
class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A resource limit was reached. The message names the limit and the flag that changes it. It becomes the reason of
/// undecided claims, so it is shortened here.
class LimitError : public std::runtime_error {
 public:
  explicit LimitError(std::string_view message) : std::runtime_error(shortened(message)) {}
};

/// A number exceeds the limit on its own length (not on time or memory). A rounded bound may serve instead.
class LongNumberError : public LimitError {
 public:
  using LimitError::LimitError;
};

/// The time or memory of a run is used up, or a stop was requested. Nothing is wrong with the input, so the error
/// carries no place in a file.
class Interrupted : public LimitError {
 public:
  using LimitError::LimitError;
};

}  // namespace oddsbound::base
