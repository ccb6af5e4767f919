// What a piece of work costs: processor time, which does not depend on what else the machine does.
#pragma once

#include <sys/resource.h>

namespace oddsbound::runs {

/// Of all threads of the process, and of the processes that it started and that ended, since it began.
inline double processor_seconds() {
  double seconds = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    }
  }
  return seconds;
}

}  // namespace oddsbound::runs
