// What can go wrong with exact numbers and with the limits of a run. Everything else that a user can do wrong is
// a SpecError (specs/spec_error.h), which wraps these with a place in a file.
#pragma once

#include <stdexcept>
#include <string>

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

}  // namespace oddsbound::base
