#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/files.h"
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

using oddsbound::testing::TemporaryFolder;

namespace {

namespace fs = std::filesystem;

std::string text_at(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

// A part file held open and locked by a process that is writing it.
class LivingPart {
 public:
  LivingPart(const std::string& path, const std::string& text)
      : file_(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600)) {
    REQUIRE(file_ >= 0);
    REQUIRE(::write(file_, text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    REQUIRE(flock(file_, LOCK_EX) == 0);
  }
  LivingPart(const LivingPart&) = delete;
  LivingPart& operator=(const LivingPart&) = delete;
  ~LivingPart() { close(file_); }

 private:
  int file_;
};

}  // namespace

TEST_CASE("a file is written as a whole, under every name of it, and nothing else stays") {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.json"), link = folder.file("link.json"), nowhere = folder.file("nowhere");
  fs::create_symlink("a.json", link);
  fs::create_symlink("new.json", nowhere);
  write_whole(file, "one");
  write_whole(link, "two");
  write_whole(nowhere, "three");
  CHECK(text_at(file) == "two");
  CHECK(text_at(folder.file("new.json")) == "three");
  CHECK(fs::is_symlink(link));
  CHECK(names_in(folder.path()) == std::vector<std::string>{"a.json", "link.json", "new.json", "nowhere"});
  CHECK_THROWS_WITH_AS(write_whole(folder.path(), "x"), doctest::Contains("it is a directory"), std::runtime_error);
  CHECK_THROWS_WITH_AS(write_whole(folder.file("none/a"), "x"), doctest::Contains("No such file or directory"),
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(write_whole(folder.file("no\x1bne/a"), "x"), doctest::Contains("no\\x1bne"), std::runtime_error);
}

TEST_CASE("what replaces a file has its permissions, also while it is written") {
  const TemporaryFolder folder;
  const std::string file = folder.file("ledger.json");
  write_whole(file, "one");
  for (const mode_t mode : {0600U, 0640U, 0400U}) {
    REQUIRE(chmod(file.c_str(), mode) == 0);
    write_whole(file, "two");
    struct stat status {};
    REQUIRE(stat(file.c_str(), &status) == 0);
    CHECK((status.st_mode & 07777) == mode);
  }
}

TEST_CASE("what a killed process left goes with the next writing, and what a living one writes stays") {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.json"), part = file + ".oddsbound-part-";
  std::ofstream(part + "1") << "half";
  std::ofstream(part + "7") << "half";
  const std::vector<std::string> others{file + ".part-1", part + "x", part + "1.csv",
                                        folder.file("b.json.oddsbound-part-1")};
  for (const std::string& other : others) std::ofstream(other) << "mine";
  const LivingPart living(part + "2", "still being written");
  write_whole(file, "whole");
  CHECK(text_at(file) == "whole");
  CHECK_FALSE(fs::exists(part + "1"));
  CHECK_FALSE(fs::exists(part + "7"));
  CHECK(text_at(part + "2") == "still being written");
  for (const std::string& other : others) CHECK(text_at(other) == "mine");
}

TEST_CASE("a part is never written through what somebody else has put there") {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.json"), part = file + ".oddsbound-part-", victim = folder.file("victim");
  std::ofstream(victim) << "precious";
  fs::create_symlink(victim, part + "1");
  fs::create_symlink(folder.file("not-there"), part + "2");
  REQUIRE(mkfifo((part + "3").c_str(), 0600) == 0);
  fs::create_directory(part + "4");
  write_whole(file, "whole");
  CHECK(text_at(file) == "whole");
  CHECK(text_at(victim) == "precious");
  CHECK_FALSE(fs::exists(folder.file("not-there")));
  CHECK(fs::is_symlink(part + "1"));
  CHECK(fs::is_fifo(part + "3"));
  for (int number = 5; number <= 64; ++number) fs::create_directory(part + std::to_string(number));
  CHECK_THROWS_WITH_AS(write_whole(file, "again"), doctest::Contains("too many others are writing it"),
                       std::runtime_error);
  CHECK(text_at(file) == "whole");
}

TEST_CASE("of many who write one file at once each leaves it whole") {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.json");
  std::vector<std::thread> writers;
  for (char c = 'a'; c < 'i'; ++c) {
    writers.emplace_back([&, c] {
      for (int k = 0; k < 20; ++k) write_whole(file, std::string(5000, c));
    });
  }
  for (std::thread& writer : writers) writer.join();
  const std::string text = text_at(file);
  CHECK(text == std::string(5000, text.at(0)));
  CHECK(names_in(folder.path()) == std::vector<std::string>{"a.json"});
}

TEST_CASE("a process that is killed at any moment leaves the file whole, and nothing after the next writing") {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.json");
  write_whole(file, std::string(100'000, 'o'));
  for (int k = 0; k < 10; ++k) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      for (char c = 'a';; c = c == 'z' ? 'a' : static_cast<char>(c + 1)) write_whole(file, std::string(100'000, c));
    }
    usleep(static_cast<useconds_t>(2000 + 777 * k));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const std::string text = text_at(file);
    CHECK(text == std::string(100'000, text.at(0)));
  }
  write_whole(file, "after");
  CHECK(names_in(folder.path()) == std::vector<std::string>{"a.json"});
}

TEST_CASE("two paths are one file through links and other spellings, there or not") {
  const TemporaryFolder folder;
  const std::string there = folder.file("there"), not_there = folder.file("not-there");
  std::ofstream(there) << "";
  fs::create_hard_link(there, folder.file("hard"));
  fs::create_symlink("not-there", folder.file("link"));
  fs::create_directory(folder.file("deeper"));
  fs::create_directory_symlink("..", folder.file("deeper/up"));
  CHECK(is_same_file(there, folder.file("hard")));
  CHECK(is_same_file(there, folder.file("deeper/../there")));
  CHECK(is_same_file(not_there, folder.file("deeper/../not-there")));
  CHECK(is_same_file(not_there, folder.file("deeper/up/not-there")));
  CHECK(is_same_file(not_there, folder.file("link")));
  CHECK_FALSE(is_same_file(there, not_there));
  CHECK_FALSE(is_same_file(not_there, folder.file("deeper/not-there")));
}

// Folders that exist as a whole or not at all.

namespace fs = std::filesystem;
using namespace oddsbound::base;

namespace {

class EmptyFolder {
 public:
  EmptyFolder() {
    std::string path = (fs::temp_directory_path() / "oddsbound-folder-XXXXXX").string();
    REQUIRE(mkdtemp(path.data()) != nullptr);
    path_ = path;
  }
  ~EmptyFolder() { fs::remove_all(path_); }
  fs::path operator/(const std::string& name) const { return path_ / name; }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), fs::directory_iterator()));
  }

 private:
  fs::path path_;
};

void put(const fs::path& file) { std::ofstream(file) << "text"; }
bool any_page(const std::string& name) { return name.ends_with(".html"); }

}  // namespace

TEST_CASE("a folder is replaced as a whole, and nothing else is left") {
  const EmptyFolder folder;
  const std::string target = (folder / "pages").string();
  write_whole_folder(target, any_page, [](const std::string& part) {
    put(fs::path(part) / "1.html");
    put(fs::path(part) / "2.html");
  });
  write_whole_folder(target, any_page, [](const std::string& part) { put(fs::path(part) / "1.html"); });
  CHECK(fs::exists(folder / "pages/1.html"));
  CHECK_FALSE(fs::exists(folder / "pages/2.html"));
  CHECK(folder.entries() == 1);
}

TEST_CASE("a folder with files of others is not replaced") {
  const EmptyFolder folder;
  fs::create_directory(folder / "pages");
  put(folder / "pages/notes.txt");
  const auto fill = [](const std::string& part) { put(fs::path(part) / "1.html"); };
  CHECK_THROWS_AS(write_whole_folder((folder / "pages").string(), any_page, fill), std::runtime_error);
  CHECK(fs::exists(folder / "pages/notes.txt"));
  put(folder / "file");
  CHECK_THROWS_AS(write_whole_folder((folder / "file").string(), any_page, fill), std::runtime_error);
  CHECK_THROWS_AS(write_whole_folder((folder / "none/pages").string(), any_page, fill), std::runtime_error);
  CHECK(folder.entries() == 2);
}

TEST_CASE("a folder that fails to be filled leaves the one before, and what a killed process left goes") {
  const EmptyFolder folder;
  const std::string target = (folder / "pages").string();
  write_whole_folder(target, any_page, [](const std::string& part) { put(fs::path(part) / "1.html"); });
  fs::create_directory(folder / "pages.oddsbound-part-1");
  put(folder / "pages.oddsbound-part-1/3.html");
  CHECK_THROWS_AS(write_whole_folder(target, any_page, [](const std::string&) { throw std::runtime_error("full"); }),
                  std::runtime_error);
  CHECK(fs::exists(folder / "pages/1.html"));
  CHECK(folder.entries() == 1);
}
