// Resource limits of one spec: time, memory, inputs, cells and a stop request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

namespace oddsbound {

class TaskScope;
class TaskScopes;

struct Limits {
  std::uint64_t max_inputs = std::uint64_t{1} << 24;
  std::uint64_t max_cells = std::uint64_t{1} << 27;  // inputs x outputs that may be enumerated
  double max_seconds = 300;
  std::uint64_t max_memory_mb = 4096;
  /// Returns the bytes that count against max_memory_mb. Empty: the growth of this process's resident memory since
  /// the outermost budget began, so that other memory of a host program does not count.
  std::function<std::uint64_t()> memory_in_use{};
  std::uint64_t max_file_mb = 512;
  std::stop_token stop{};  // a stop request ends the work at the next check, as a limit does
  /// Called now and then, from any thread, with the progress of a search. Empty: no progress reports.
  std::function<void(const std::string& at)> told{};
  bool use_disjoint_parts = true;  // false: enumerate columns even if the channel decomposes
  std::size_t threads = 0;         // of one pass over columns; 0: one per core. Results do not depend on it
  std::uint64_t chunk_cells = std::uint64_t{1} << 15;  // cells that a thread takes at once
  std::uint32_t microseconds_alone = 500;              // a pass runs this long on one thread before it starts others
  std::uint64_t unit_cells = std::uint64_t{1} << 22;   // cells per work unit for another process
  // The factory of task scopes, and the scope of the current work (for oddsbound-mpi). Null: tasks are neither shared
  // with other processes nor kept.
  TaskScopes* scopes = nullptr;
  TaskScope* scope = nullptr;
};

/// Limits of a call, and its progress callback.
struct Context {
  /// Time, memory, sizes and threads. `limits.stop` ends the work at any time, like a limit.
  Limits limits;
  /// Called from time to time, from any thread, with the work done, the total, and the current item.
  std::function<void(std::uint64_t done, std::uint64_t of, const std::string& at)> progress;
};

}  // namespace oddsbound
