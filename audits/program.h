// Runs a user's program as a child process that answers each line with a line. It has limits on its memory and on how
// long it may be silent. At the end it is killed with all its descendants. Errors say in words what it did.
#pragma once

#include "audits/request.h"

#include <cstdint>
#include <optional>
#include <string>

#include "audits/runner.h"
#include "base/kept_process.h"

namespace oddsbound::audits {

class Program {
 public:
  /// command: for the shell. Throws std::runtime_error if no process can be made.
  Program(const std::string& command, const ProgramLimits& limits);
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  /// Closes its standard input, gives it a moment to end, and kills it and all its descendants.
  ~Program();

  /// Queues text for its standard input.
  void send(const std::string& text) { outgoing_ += text; }
  /// The next line of its standard output, without the line break. Throws ProgramError if it ends, stays silent for too
  /// long, or writes a line of more than 64 MB.
  /// seconds: to wait at most, where that is less than the limit.
  std::string next_line(double seconds);
  /// Whether it wrote something that was not read.
  bool has_more();

 private:
  void exchange(int milliseconds);
  bool read_some(int& descriptor, std::string& buffer);
  [[noreturn]] void fail_ended();
  std::string last_words() const;

  ProgramLimits limits_;
  std::optional<KeptProcess> child_;
  int to_child_ = -1, from_child_ = -1, errors_ = -1;
  std::string outgoing_;
  std::size_t sent_ = 0;
  std::string incoming_;
  std::size_t begin_ = 0;    // of the next line
  std::size_t scanned_ = 0;  // no line break before
  std::string complaints_;   // the end of its standard error
};

}  // namespace oddsbound::audits
