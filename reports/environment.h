// Parts of every result: the environment it was computed in, the source of randomness, and errors of files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/namespaces.h"
#include "specs/spec_error.h"

namespace oddsbound::reports {

/// ("system", "Linux 6.1 x86_64"), ("compiler", "GCC 12.2.0"), ("Arb", "2.23.0"), ...
std::vector<std::pair<std::string, std::string>> environment();

/// How random numbers were made: from a seed, or by the system.
std::string random_words(const std::optional<std::uint64_t>& seed);

// Errors of files in a result

/// The error of a spec, or any other error of a file.
FileError file_error(const SpecError& error);
FileError file_error(const std::string& file, const std::string& message);

/// Returns the exception being handled as an error; call it in a catch block. Rethrows anything that is no
/// std::exception.
FileError file_error_in_flight(const std::string& file);

}  // namespace oddsbound::reports
