// Reading of files that are not there at once.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <stop_token>
#include <string>
#include <thread>

#include "base/errors.h"
#include "specs/reading.h"

using namespace oddsbound;

namespace {

namespace fs = std::filesystem;

// Removed with what is in it.
struct PipeFolder {
  fs::path folder;
  std::string pipe;
  PipeFolder() {
    std::string name = (fs::temp_directory_path() / "oddsbound-pipe-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    folder = name;
    pipe = folder / "pipe";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  }
  PipeFolder(const PipeFolder&) = delete;
  PipeFolder& operator=(const PipeFolder&) = delete;
  ~PipeFolder() { fs::remove_all(folder); }
};

Limits within(double seconds) {
  Limits limits;
  limits.max_seconds = seconds;
  return limits;
}

}  // namespace

TEST_CASE("a pipe that nobody writes ends at the time limit, or when a stop is asked for") {
  const PipeFolder made;
  CHECK_THROWS_WITH_AS(specs::read_file(made.pipe, within(0.2)),
                       ("nothing came through this pipe within the time limit (--max-seconds): " + made.pipe).c_str(),
                       LimitError);
  std::stop_source source;
  Limits limits = within(100);
  limits.stop = source.get_token();
  std::jthread stopping([&source] {
    usleep(100'000);
    source.request_stop();
  });
  CHECK_THROWS_WITH_AS(specs::read_file(made.pipe, limits), "the work was stopped", LimitError);
}

TEST_CASE("a pipe is read to its end, and a writer that goes silent ends at the time limit") {
  const PipeFolder made;
  const auto write_later = [&](bool stays) {
    return std::jthread([&made, stays] {
      const int end = open(made.pipe.c_str(), O_WRONLY | O_CLOEXEC);
      CHECK(write(end, "a\n", 2) == 2);
      if (stays) usleep(600'000);
      close(end);
    });
  };
  {
    const std::jthread writer = write_later(false);
    CHECK(specs::read_file(made.pipe, within(100)) == "a\n");
  }
  const std::jthread writer = write_later(true);
  CHECK_THROWS_AS(specs::read_file(made.pipe, within(0.2)), LimitError);
}

TEST_CASE("what is neither a regular file nor a pipe is refused, whatever it calls itself") {
  CHECK_THROWS_AS(specs::read_file("/dev/zero", within(100)), SpecError);
  CHECK_THROWS_AS(specs::read_file("/tmp", within(100)), SpecError);
  // A regular file by its mode, which blocks its readers. Only root may open it.
  if (fs::exists("/proc/kmsg")) CHECK_THROWS_AS(specs::read_file("/proc/kmsg", within(100)), SpecError);
}
