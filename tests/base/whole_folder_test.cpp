// Folders that are there as a whole or not at all.
#include "base/whole_folder.h"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

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
