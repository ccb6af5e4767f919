#include "base/file_lock.h"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>
#include <vector>

#include "tests/support/temporary_folder.h"

using namespace oddsbound;
using oddsbound::testing::TemporaryFolder;

TEST_CASE("a lock is held by one at a time, under every name of its file, and leaves nothing behind") {
  const TemporaryFolder folder;
  const std::string file = folder.file("ledger.json"), other_name = folder.file("link.json");
  std::filesystem::create_symlink("ledger.json", other_name);
  {
    const auto lock = FileLock::take(file);
    REQUIRE(lock);
    CHECK_FALSE(FileLock::take(file));
    CHECK_FALSE(FileLock::take(other_name));
    CHECK(FileLock::take(folder.file("another.json")));
  }
  CHECK(FileLock::take(other_name));
  (void)FileLock::wait(file);
  CHECK_FALSE(std::filesystem::exists(file + ".lock"));
}

TEST_CASE("what a killed process left is no lock, and where there can be none that is an error") {
  const TemporaryFolder folder;
  std::ofstream(folder.file("ledger.json.lock")) << "";
  CHECK(FileLock::take(folder.file("ledger.json")));
  CHECK_THROWS_WITH_AS((void)FileLock::take(folder.file("nowhere/ledger.json")),
                       doctest::Contains("No such file or directory"), std::runtime_error);
  CHECK_THROWS_WITH_AS((void)FileLock::wait(folder.file("nowhere/ledger.json")),
                       doctest::Contains("No such file or directory"), std::runtime_error);
}

TEST_CASE("a lock that ends leaves what somebody else has put in its place") {
  const TemporaryFolder folder;
  const std::string file = folder.file("ledger.json");
  {
    const auto lock = FileLock::take(file);
    std::filesystem::remove(file + ".lock");
    std::ofstream(file + ".lock") << "mine";
  }
  CHECK(std::filesystem::file_size(file + ".lock") == 4);
}

TEST_CASE("of many who add under a lock that others remove, no addition is lost") {
  const TemporaryFolder folder;
  const std::string file = folder.file("ledger.json");
  std::atomic<int> sum = 0, inside = 0, together = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, waits = t % 2 == 0] {
      for (int added = 0; added < 200;) {
        const auto lock = waits ? std::optional(FileLock::wait(file)) : FileLock::take(file);
        if (!lock) continue;
        together += inside++ == 0 ? 0 : 1;
        sum = sum.load() + 1;
        ++added;
        --inside;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(together == 0);
  CHECK(sum == 800);
}
