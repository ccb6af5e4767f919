#include "base/memory.h"

#include <malloc.h>
#include <unistd.h>

#include <fstream>

namespace oddsbound::base {

std::uint64_t allocated_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

std::uint64_t bytes_of_pages(int place) {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t pages = 0;
  for (int i = 0; i <= place; ++i) statm >> pages;
  return statm ? pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) : allocated_bytes();
}

}  // namespace oddsbound::base
