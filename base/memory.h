// The memory that this process holds, also on systems without /proc.
#pragma once

#include <cstdint>

#include "base/namespaces.h"

namespace oddsbound::base {

/// The bytes that the allocator has handed out. GMP, FLINT and Z3 use it too.
std::uint64_t allocated_bytes();

/// Places of numbers in /proc/self/statm.
constexpr int kResidentPages = 1;
constexpr int kDataPages = 5;

/// One of them in bytes; without /proc, allocated_bytes().
std::uint64_t bytes_of_pages(int place);

}  // namespace oddsbound::base
