// Reading of files whose contents arrive late.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stop_token>
#include <string>
#include <thread>

#include "base/errors.h"
#include "specs/reading.h"
#include "specs/source_file.h"
#include "specs/spec.h"

using namespace oddsbound;

namespace {

namespace fs = std::filesystem;

// A folder with a pipe; removed with its contents.
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
  // A regular file by its mode that blocks its readers. Only root may open it.
  if (fs::exists("/proc/kmsg")) CHECK_THROWS_AS(specs::read_file("/proc/kmsg", within(100)), SpecError);
}

// The hash of the meaning of a spec.

TEST_CASE("SHA-256 is that of the standard (FIPS 180-2, example B.1)") {
  CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(sha256_base64("abc") == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

namespace {

std::string content_of(const std::string& text) { return content_hash(JsonDocument("a", text)); }

}  // namespace

TEST_CASE("formatting, free text and the spelling of numbers do not matter, all else does") {
  const std::string plain =
      R"({"oddsbound":1,"name":"a","claims":[{"notion":"ldp","epsilon":0.5,"name":"x"}],"domain":[1]})";
  const std::string base = content_of(plain);
  const char* same[] = {
      R"({"domain": [1.0], "oddsbound": 1,
          "claims": [ {"epsilon": 0.50, "notion": "ldp"} ], "description": "words", "source": "book", "name": "b"})",
      R"({"oddsbound":1,"domain":[10e-1],"claims":[{"notion":"ldp","epsilon":5e-1,"name":"y"}]})",
      "{\"oddsbound\":1,\"domain\":[1],\"claims\":[{\"notion\":\"l\\u0064p\",\"epsilon\":0.5}]}"};
  for (const char* text : same) CHECK(content_of(text) == base);
  const char* other[] = {R"({"oddsbound":1,"domain":[1],"claims":[{"notion":"ldp","epsilon":0.51}]})",
                         R"({"oddsbound":1,"domain":["1"],"claims":[{"notion":"ldp","epsilon":0.5}]})",
                         R"({"oddsbound":1,"domain":[1,{"name":"z"}],"claims":[{"notion":"ldp","epsilon":0.5}]})",
                         R"({"oddsbound":1,"domain":[[1]],"claims":[{"notion":"ldp","epsilon":0.5}]})",
                         R"({"oddsbound":1,"domain":[1],"claims":[{"notion":"ldp","epsilon":0.5,"expect":"refuted"}]})",
                         R"({"oddsbound":1,"domain":[1],"claims":[]})",
                         R"({"oddsbound":1,"domain":[1]})",
                         R"({"oddsbound":1,"domain":[true],"claims":[{"notion":"ldp","epsilon":0.5}]})"};
  std::set<std::string> hashes{base};
  for (const char* text : other) CHECK(hashes.insert(content_of(text)).second);
}

TEST_CASE("a coordinate's name is no free text") {
  const auto spec = [](const std::string& name) {
    return content_of(R"({"domain": [{"name": ")" + name + R"(", "size": 2}]})");
  };
  CHECK(spec("a") != spec("b"));
}

TEST_CASE("tables are equal however their lines end") {
  const auto hash_of = [](const std::string& text) {
    Budget budget;
    return table_hash("t.csv", text, budget);
  };
  CHECK(hash_of("a,b\r\n1,2\r\n") == hash_of("a,b\n1,2\n"));
  CHECK(hash_of("a,b\n1,2\n") != hash_of("a,b\n1,3\n"));
  Budget budget;
  CHECK(table_hash("t.csv", "\"a\";b\r\n1;2\r\n", budget, ';') == table_hash("t.csv", "\"a\";b\n1;2\n", budget, ';'));
  // Within a quoted cell, a carriage return is a character like any other, whatever follows.
  CHECK(hash_of("a,b\n\"x\ry\",2\n") != hash_of("a,b\n\"xy\",2\n"));
  CHECK(hash_of("a,b\n\"x\r\ny\",2\n") != hash_of("a,b\n\"x\ny\",2\n"));
  CHECK(hash_of("\xef\xbb\xbf"
                "a,b\r\n1,2\r\n") == hash_of("\xef\xbb\xbf"
                                             "a,b\n1,2\n"));
}

TEST_CASE("a spec knows the files it was read from, each once") {
  Budget budget;
  const Spec spec = read_spec(ODDSBOUND_SOURCE_DIR "/specs/gallery/titanic.json", budget);
  REQUIRE(spec.files.size() == 2);
  for (const SourceFile& file : spec.files) {
    std::ifstream stream(file.file, std::ios::binary);
    std::stringstream text;
    text << stream.rdbuf();
    CHECK(file.sha256 == sha256(text.str()));
  }
}
