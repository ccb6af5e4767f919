// Pipes to other processes.
#include "base/wait.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

TEST_CASE("who writes to a pipe that nobody reads is told, and lives on") {
  const auto before = std::signal(SIGPIPE, SIG_DFL);
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  CHECK(oddsbound::write_to_pipe(ends[1], "abc", 3) == 3);
  close(ends[0]);
  CHECK(oddsbound::write_to_pipe(ends[1], "abc", 3) == -1);
  CHECK(errno == EPIPE);
  close(ends[1]);
  sigset_t pending;
  sigpending(&pending);
  CHECK(sigismember(&pending, SIGPIPE) == 0);
  std::signal(SIGPIPE, before);
}
