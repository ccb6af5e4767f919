// Kept programs leave no processes behind.
#include "base/kept_process.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace oddsbound {
namespace {

using testing::TemporaryFolder;

bool within_seconds(int seconds, const std::function<bool()>& condition) {
  for (int i = 0; i < 100 * seconds; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return condition();
}

// Starts a child in a session of its own, a child whose parent has ended, and one that is both. Their process ids
// are written to files a, b and c.
Launch restless(const std::string& folder, const std::string& end) {
  const std::string script =
      "setsid sh -c 'echo $$ >a; exec sleep 300' & "
      "(sh -c 'echo $$ >b; exec sleep 300' &); "
      "(setsid sh -c 'echo $$ >c; exec sleep 300' >/dev/null 2>&1 </dev/null &); " +
      end;
  return {.arguments = {"sh", "-c", script}, .path = "/bin/sh", .directory = folder, .memory_mb = 1000};
}

std::vector<pid_t> started(const std::string& folder) {
  std::vector<pid_t> found;
  for (const char* name : {"/a", "/b", "/c"}) {
    pid_t one = 0;
    if (std::ifstream(folder + name) >> one) found.push_back(one);
  }
  return found;
}

bool all_are_gone(const std::vector<pid_t>& processes) {
  for (const pid_t one : processes) {
    if (kill(one, 0) == 0) return false;
  }
  return true;
}

TEST_CASE("nothing that a kept process started is left when it ends") {
  for (const char* end : {"wait", "exit 3"}) {
    CAPTURE(end);
    const TemporaryFolder folder;
    std::vector<pid_t> processes;
    {
      KeptProcess kept(restless(folder.path(), end));
      REQUIRE(within_seconds(10, [&] { return started(folder.path()).size() == 3; }));
      processes = started(folder.path());
      const auto status = kept.wait(std::string(end) == "wait" ? 0 : 10'000);
      if (std::string(end) == "wait") {
        CHECK_FALSE(status);
      } else {
        REQUIRE(status);
        CHECK(WEXITSTATUS(*status) == 3);
        CHECK(kept.wait(0) == status);
      }
      CHECK_FALSE(all_are_gone(processes));
    }
    CHECK(all_are_gone(processes));
  }
}

TEST_CASE("nor when the process that started it is killed") {
  const TemporaryFolder folder;
  const pid_t caller = fork();
  if (caller == 0) {
    const KeptProcess kept(restless(folder.path(), "wait"));
    for (;;) pause();
  }
  REQUIRE(within_seconds(10, [&] { return started(folder.path()).size() == 3; }));
  const std::vector<pid_t> processes = started(folder.path());
  CHECK_FALSE(all_are_gone(processes));
  kill(caller, SIGKILL);
  waitpid(caller, nullptr, 0);
  CHECK(within_seconds(10, [&] { return all_are_gone(processes); }));
}

TEST_CASE("how a kept process ended is told") {
  const auto status_of = [](const std::string& line) {
    KeptProcess kept({.arguments = {"sh", "-c", line}, .path = "/bin/sh", .memory_mb = 1000});
    return kept.wait(10'000).value_or(-1);
  };
  CHECK(WEXITSTATUS(status_of("exit 7")) == 7);
  CHECK(WTERMSIG(status_of("kill -9 $$")) == SIGKILL);
  KeptProcess missing({.arguments = {"/no/such/program"}, .memory_mb = 1000});
  CHECK(WEXITSTATUS(missing.wait(10'000).value_or(-1)) == 127);
}

}  // namespace
}  // namespace oddsbound
