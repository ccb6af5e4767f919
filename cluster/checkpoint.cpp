#include "cluster/checkpoint.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/characters.h"

namespace oddsbound::cluster {

namespace {

constexpr std::string_view kMagic = "oddsbound checkpoint 1\n";
constexpr std::size_t kDigestSize = 64;

std::optional<Bytes> read_if_there(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) return std::nullopt;
  if (status.type() != std::filesystem::file_type::regular) throw std::runtime_error("it is not an ordinary file");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw std::runtime_error("it cannot be read");
  return std::move(text).str();
}

// Returns the content between the header line and the SHA-256 at the end. Throws if the file was truncated or
// changed.
std::string_view body_of(std::string_view text) {
  if (!text.starts_with(kMagic)) throw std::runtime_error("it is no checkpoint");
  if (text.size() < kMagic.size() + kDigestSize) throw std::runtime_error("it is not whole: its end is missing");
  const std::string_view digest = text.substr(text.size() - kDigestSize);
  text.remove_suffix(kDigestSize);
  if (base::sha256(text) != digest) throw std::runtime_error("it is not whole: it was cut short or changed");
  text.remove_prefix(kMagic.size());
  return text;
}

void put(BinaryWriter& writer, const std::map<std::string, Bytes>& entries) {
  writer.put(std::uint64_t{entries.size()});
  for (const auto& [task, bytes] : entries) writer.put(task).put(bytes);
}

std::map<std::string, Bytes> take(BinaryReader& reader) {
  std::map<std::string, Bytes> entries;
  for (std::size_t left = reader.count(16); left > 0; --left) {
    std::string task = reader.text();
    entries[std::move(task)] = reader.text();
  }
  return entries;
}

// Describes the first line in which the two runs differ.
std::string difference(const Bytes& before, const Bytes& now) {
  std::istringstream old_lines(before), new_lines(now);
  std::string was, is;
  while (true) {
    const bool more_old = static_cast<bool>(std::getline(old_lines, was));
    const bool more_new = static_cast<bool>(std::getline(new_lines, is));
    if (!more_old && !more_new) return "it is of another run";
    if (!more_old) return "it is of another run: that had not '" + printable(is) + "'";
    if (!more_new) return "it is of another run: that had '" + printable(was) + "'";
    if (was != is) return "it is of another run: that had '" + printable(was) + "', this has '" + printable(is) + "'";
  }
}

}  // namespace

Checkpoint::Checkpoint(std::string path, Bytes run, std::chrono::duration<double> interval)
    : path_(std::move(path)), run_(std::move(run)), interval_(interval), written_(std::chrono::steady_clock::now()) {
  try {
    std::optional<FileLock> lock = FileLock::take(path_);
    if (!lock) throw std::runtime_error("another run goes on from it at this moment");
    lock_.emplace(*std::move(lock));
    if (const std::optional<Bytes> text = read_if_there(path_)) {
      BinaryReader reader(body_of(*text));
      const Bytes before = reader.text();
      if (before != run_) throw std::runtime_error(difference(before, run_));
      contents_ = take(reader);
      outcomes_ = take(reader);
      kept_ = take(reader);
      reader.require_end();
    }
    // Fail now, not after hours, if the folder is missing or the disk is full.
    write_locked();
  } catch (const std::exception& error) {
    throw std::runtime_error("the checkpoint " + printable(path_, 200) + ": " + error.what());
  }
}

void Checkpoint::begin(const std::string& part, const Bytes& content) {
  const std::lock_guard lock(guard_);
  const auto [known, is_new] = contents_.emplace(part, content);
  if (is_new || known->second == content) return;
  throw std::runtime_error("the checkpoint " + printable(path_, 200) +
                           ": it is of another run: a file that is read for " + printable(part, 200) + " has changed");
}

std::optional<Bytes> Checkpoint::outcome(const std::string& task) const {
  const std::lock_guard lock(guard_);
  const auto known = outcomes_.find(task);
  return known == outcomes_.end() ? std::nullopt : std::optional(known->second);
}

Bytes Checkpoint::kept(const std::string& task) const {
  const std::lock_guard lock(guard_);
  const auto known = kept_.find(task);
  return known == kept_.end() ? Bytes() : known->second;
}

void Checkpoint::finish(const std::string& task, const Bytes& outcome) {
  const std::lock_guard lock(guard_);
  outcomes_[task] = outcome;
  kept_.erase(task);
  if (is_time()) write_locked();
}

void Checkpoint::keep(const std::string& task, const std::function<Bytes()>& state) {
  const std::lock_guard lock(guard_);
  if (!is_time()) return;
  kept_[task] = state();
  write_locked();
}

void Checkpoint::keep_now(const std::string& task, Bytes state) {
  const std::lock_guard lock(guard_);
  kept_[task] = std::move(state);
  write_locked();
}

void Checkpoint::write() {
  const std::lock_guard lock(guard_);
  write_locked();
}

void Checkpoint::remove() {
  const std::lock_guard lock(guard_);
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

bool Checkpoint::is_time() const { return std::chrono::steady_clock::now() - written_ >= interval_; }

void Checkpoint::write_locked() {
  BinaryWriter writer;
  writer.put(run_);
  put(writer, contents_);
  put(writer, outcomes_);
  put(writer, kept_);
  Bytes text = Bytes(kMagic) + writer.take();
  text += base::sha256(text);
  base::write_whole(path_, text);
  written_ = std::chrono::steady_clock::now();
}

}  // namespace oddsbound::cluster
