// What work throws, as a value with its place.
#pragma once

#include <exception>
#include <new>
#include <string>

#include "oddsbound/expected.h"

namespace oddsbound {

/// The result of `work`, or the error it throws. what: the file that errors without a place are about.
template <typename Work>
auto as_expected(const std::string& what, Work work) -> Expected<decltype(work())> {
  try {
    return work();
  } catch (const SpecError& error) {
    return file_error(error);
  } catch (const std::bad_alloc&) {
    return file_error(what, "out of memory");
  } catch (const std::exception& error) {
    return file_error(what, error.what());
  }
}

}  // namespace oddsbound
