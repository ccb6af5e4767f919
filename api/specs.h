// Turns exceptions into values with a place.
#pragma once

#include <exception>
#include <string>

#include "oddsbound/expected.h"
#include "specs/spec_error.h"

namespace oddsbound::api {

/// Returns the result of `work`, or the error it throws. what: the file of errors without a place.
template <typename Work>
auto as_expected(const std::string& what, Work work) -> Expected<decltype(work())> {
  try {
    return work();
  } catch (const std::exception&) {
    return file_error_in_flight(what);
  }
}

}  // namespace oddsbound::api
