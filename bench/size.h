// Full or tiny sizes. With ODDSBOUND_BENCH_TINY set, a program only shows that it runs (tests/bench/programs.py);
// its numbers are meaningless.
#pragma once

#include <cstdlib>

namespace oddsbound::bench {

inline bool is_tiny() {
  static const bool tiny = std::getenv("ODDSBOUND_BENCH_TINY") != nullptr;
  return tiny;
}

template <typename Size>
Size sized(Size full, Size tiny) {
  return is_tiny() ? tiny : full;
}

}  // namespace oddsbound::bench
