// What can go wrong with exact numbers and with the limits of a run. Everything else that a user can do wrong is
// a SpecError (specs/spec_error.h), which wraps these with a place in a file.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "base/namespaces.h"

namespace oddsbound::base {

/// A number or level that is not in the grammar, not representable exactly, or not defined (1/0).
class NumberError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A model that contradicts itself: a row that does not sum to 1, an event of no mass, mismatched shapes.
class ModelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A resource limit that was reached; the message names the limit and the flag that moves it.
class LimitError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The limit is that of a number's own length, and not of time or memory: a bound that is rounded may do in its place.
class LongNumberError : public LimitError {
 public:
  using LimitError::LimitError;
};

// Messages quote numbers and names from files, which may have millions of characters. An error is cut to a few lines
// where it becomes one (SpecError, FileError, what the command line prints), so that no place that words one has to.

/// No message is longer, in bytes, but for the name of its file, its place and its hint.
inline constexpr std::size_t kLongestMessage = 1500;

/// The text as it is, and cut in the middle, between characters, if it has more bytes than `longest`.
std::string shortened(std::string_view text, std::size_t longest = kLongestMessage);

// A limit of the run itself.

/// The time or the memory of a run is used up, or somebody asked for a stop: nothing is wrong with what was being read
/// or computed, so that no place in a file is to blame for it.
class Interrupted : public LimitError {
 public:
  using LimitError::LimitError;
};

}  // namespace oddsbound::base
