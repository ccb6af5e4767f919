// Every text is a checkpoint, which is written back unchanged, or an error. All bytes are a message between
// processes or an error.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/bytes.h"
#include "cluster/checkpoint.h"
#include "cluster/coordinator.h"
#include "cluster/process_group.h"

using namespace oddsbound;

namespace {

const std::string kMagic = "oddsbound checkpoint 1\n";

// Drops all messages.
class Nowhere final : public cluster::Transport {
 public:
  std::size_t rank() const override { return 0; }
  std::size_t ranks() const override { return 3; }
  std::string host() const override { return "nowhere"; }
  void receive(Receiver /*receiver*/) override {}
  void send(std::size_t /*to*/, Bytes /*message*/) override {}
  void go_home() override {}
};

std::string path_of_process() {
  const std::filesystem::path memory = "/dev/shm";  // a file there costs no disk
  const auto folder = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
  return folder / ("oddsbound-fuzz-" + std::to_string(getpid()));
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return std::move(text).str();
}

// Reads a checkpoint and writes it at once: a checkpoint that cannot be written back is useless.
std::string read_and_written(const std::string& path, const std::string& text, const Bytes& run) {
  std::ofstream(path, std::ios::binary) << text;
  cluster::Checkpoint checkpoint(path, run, std::chrono::hours(1));
  checkpoint.begin("part", "content of the part");
  checkpoint.write();
  return text_of(path);
}

void try_checkpoint(const std::string& path, const std::string& text, const Bytes& run) {
  std::string written;
  try {
    written = read_and_written(path, text, run);
  } catch (const std::runtime_error&) {
    return;
  }
  if (read_and_written(path, written, run) != written) std::abort();
}

Bytes run_of(const std::string& body) {
  try {
    return BinaryReader(body).text();
  } catch (const BytesError&) {
    return {};
  }
}

template <typename Receive>
void try_message(Receive receive) {
  try {
    receive();
  } catch (const BytesError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string path = path_of_process();
  const std::string text(data, data + size);
  try {
    try_checkpoint(path, text, "run");
    // With a correct digest, which fuzzing does not find.
    const std::string body = text.starts_with(kMagic) ? text.substr(kMagic.size()) : text;
    try_checkpoint(path, kMagic + body + base::sha256(kMagic + body), run_of(body));
    Nowhere post;
    cluster::Coordinator leader(&post, nullptr, "run");
    leader.begin("part", "content");
    try_message([&] { leader.receive(1, body); });
    leader.end("part");
    cluster::Worker helper(post, "run");
    try_message([&] { helper.receive(body); });
  } catch (const std::exception&) {
    std::abort();
  }
  std::filesystem::remove(path);
  return 0;
}
