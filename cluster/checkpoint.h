// What a run can go on from when it was interrupted: the outcomes of tasks that are done, and what those that were not
// could go on from. One file, written as a whole; a process that is killed leaves the last one.
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
  /// Reads the file if it is there. `run` says what the run is: program, command, files. Throws std::runtime_error for
  /// a file that is not whole, is of another run, or cannot be read; and where none can be written.
  Checkpoint(std::string path, Bytes run, std::chrono::duration<double> interval);

  /// A part of the run is about this. Throws std::runtime_error if it was about something else.
  void begin(const std::string& part, const Bytes& content);
  std::optional<Bytes> outcome(const std::string& task) const;
  /// What an unfinished task goes on from; empty if it begins.
  Bytes kept(const std::string& task) const;

  /// A task is done.
  void finish(const std::string& task, const Bytes& outcome);
  /// Of a task that is not: its state is asked for only where it is time to write.
  void keep(const std::string& task, const std::function<Bytes()>& state);
  /// The same at once, whatever the time.
  void keep_now(const std::string& task, Bytes state);
  /// Writes what is known now. Throws std::runtime_error.
  void write();
  /// The file is of no use any more.
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
