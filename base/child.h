// Work in a process of its own, which can be stopped from outside whatever it is doing, and whose memory is its own.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace oddsbound {

struct ChildLimits {
  double seconds = 10;
  std::uint64_t memory_mb = 2048;
};

struct ChildResult {
  enum class End { kFinished, kDeadline, kDied } end = End::kDied;
  std::string output;
  double seconds = 0;
};

/// Runs `work` in a child process and collects what it writes to the descriptor that it is given. The child is killed
/// at the deadline, and when the calling thread ends. Throws std::runtime_error if no process can be made.
ChildResult run_in_child(const std::function<void(int output)>& work, const ChildLimits& limits);

/// The same for another program, found in PATH; what it writes to standard output is collected.
ChildResult run_program(const std::vector<std::string>& arguments, const ChildLimits& limits);

/// For a process that was just forked: it dies with its parent's thread, leaves no core, and its data are limited.
void prepare_child(std::uint64_t memory_mb);

/// Whether a program of that name is in PATH.
bool program_exists(const std::string& name);

}  // namespace oddsbound
