// Work and programs in child processes, however they end.

#include <fcntl.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <stdexcept>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/budget.h"
#include "base/child.h"

namespace oddsbound {
namespace {

using End = ChildResult::End;

void say(int output, const std::string& text) {
  if (write(output, text.data(), text.size()) < 0) _exit(9);
}

TEST_CASE("a pipe closes the ends that nobody took") {
  int kept = -1, closed = -1;
  {
    Pipe pipe;
    closed = pipe.read_end;
    kept = pipe.take_write_end();
    CHECK(pipe.write_end == -1);
  }
  CHECK(fcntl(closed, F_GETFD) == -1);
  CHECK((fcntl(kept, F_GETFD) & FD_CLOEXEC) != 0);
  close(kept);
}

TEST_CASE("what work writes is collected") {
  const ChildResult child = run_in_child([](int output) { say(output, "7"); }, {});
  CHECK(child.end == End::kFinished);
  CHECK(child.output == "7");
}

TEST_CASE("how a child ended is told") {
  const ChildResult thrown = run_in_child([](int) { throw std::runtime_error("no"); }, {});
  CHECK(thrown.end == End::kFailed);
  CHECK(thrown.how_it_ended() == "it ended with status 1");
  const ChildResult left = run_in_child([](int) { _exit(3); }, {});
  CHECK(left.end == End::kFailed);
  CHECK(left.code == 3);
  const ChildResult killed = run_in_child([](int) { raise(SIGKILL); }, {});
  CHECK(killed.end == End::kKilled);
  CHECK(killed.how_it_ended() == "it was killed: Killed");
  const ChildResult late = run_in_child([](int) { pause(); }, {0.05, 100});
  CHECK(late.end == End::kDeadline);
  const ChildResult endless = run_in_child(
      [](int output) {
        for (;;) say(output, std::string(1 << 20, 'x'));
      },
      {});
  CHECK(endless.end == End::kOverflow);
}

TEST_CASE("a stop that is asked for ends the child of the work that it is about") {
  std::stop_source stop;
  Limits limits;
  limits.stop = stop.get_token();
  {
    const Budget other;
    CHECK(run_in_child([](int) { usleep(50'000); }, {}).end == End::kFinished);
  }
  const Budget budget(limits);
  const std::jthread asking([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    stop.request_stop();
  });
  const ChildResult stopped = run_in_child([](int) { pause(); }, {600, 100});
  CHECK(stopped.end == End::kStopped);
  CHECK(stopped.how_it_ended() == "the work was stopped");
  CHECK(run_program({"sleep", "600"}, {600, 100}).end == End::kStopped);
}

#ifndef ODDSBOUND_ADDRESS_SANITIZER
TEST_CASE("memory is limited beyond what the calling process has") {
  const std::vector<char> held(std::size_t{200} << 20, 'h');
  const auto take = [](std::size_t megabytes) {
    return [megabytes](int output) {
      const std::vector<char> taken(megabytes << 20, 't');
      say(output, std::string(1, taken.back()));
    };
  };
  CHECK(run_in_child(take(50), {10, 100}).output == "t");
  const ChildResult greedy = run_in_child(take(150), {10, 100});
  CHECK(greedy.end == End::kMemory);
  CHECK(greedy.how_it_ended() == "it had no memory left");
  CHECK(held.back() == 'h');
}
#endif

TEST_CASE("programs are found in PATH, and one that is not there ends like a shell's") {
  CHECK(run_program({"echo", "a b"}, {}).output == "a b\n");
  const ChildResult missing = run_program({"no-such-program-here"}, {});
  CHECK(missing.end == End::kFailed);
  CHECK(missing.code == 127);
  CHECK(program_path("no-such-program-here").empty());
  CHECK(program_path("sh").ends_with("/sh"));
  CHECK(run_program({"sleep", "10"}, {0.05, 100}).end == End::kDeadline);
}

}  // namespace
}  // namespace oddsbound

// Pipes to other processes.

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
