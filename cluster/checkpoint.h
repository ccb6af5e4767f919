// The checkpoint of a run: outcomes of finished tasks, and states from which unfinished ones resume. One file,
// replaced atomically, so a killed process leaves the last complete one.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "base/bytes.h"
#include "base/files.h"

namespace oddsbound::cluster {

class Checkpoint {
 public:
  /// Locks the file, reads it if it exists, and writes it. `run` describes the run: program, command, files.
  /// `interval` is the minimum time between two writes. Throws std::runtime_error if the file is incomplete,
  /// belongs to another run, is locked by another run, or cannot be read or written.
  Checkpoint(std::string path, Bytes run, std::chrono::duration<double> interval);

  /// Records the content that a part of the run depends on. Throws std::runtime_error if it has changed since.
  void begin(const std::string& part, const Bytes& content);
  /// Returns the outcome of a finished task.
  std::optional<Bytes> outcome(const std::string& task) const;
  /// Returns the state from which an unfinished task resumes; empty if it starts afresh.
  Bytes kept(const std::string& task) const;

  /// Records the outcome of a finished task.
  void finish(const std::string& task, const Bytes& outcome);
  /// Records the state of an unfinished task and writes, if a write is due. `state` is called only then.
  void keep(const std::string& task, const std::function<Bytes()>& state);
  /// The same, but writes at once.
  void keep_now(const std::string& task, Bytes state);
  /// Writes the file now. Throws std::runtime_error.
  void write();
  /// Deletes the file, which is no longer needed.
  void remove();

 private:
  bool is_time() const;
  void write_locked();

  std::string path_;
  Bytes run_;
  std::chrono::duration<double> interval_;
  mutable std::mutex guard_;
  std::chrono::steady_clock::time_point written_;
  std::optional<FileLock> lock_;
  std::map<std::string, Bytes> contents_;  // of parts
  std::map<std::string, Bytes> outcomes_;
  std::map<std::string, Bytes> kept_;
};

}  // namespace oddsbound::cluster
