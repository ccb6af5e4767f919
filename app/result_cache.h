// Results of verify and analyze that are kept in a directory, for later runs over the same files.
//
// An entry is found by the digests of the program, of the options that change results, and of the spec; its table
// files must have the digests that they had. An entry that anything is wrong with counts as missing: it is never an
// error. `lock` does not read entries.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "oddsbound/options.h"
#include "reports/report.h"

namespace oddsbound::app {

/// How the work on one spec ended, apart from its result.
struct Effort {
  double seconds = 0;        // of real time
  bool was_limited = false;  // time, memory or a stop ended some of the work
};

class ResultCache {
 public:
  struct Settings {
    std::string directory{};
    std::uint64_t max_mb = 256;  // of all entries; then the least recently used ones are removed
    bool confidential = false;   // also results that depend on a confidential table
  };
  /// True if results of these options consist of what JSON preserves and of nothing else, such as certificates.
  static bool supports(const VerifyOptions& options);

  /// Makes the directory, closed to other users. Throws std::runtime_error if it cannot be used, or is another user's
  /// or open to others.
  explicit ResultCache(Settings settings);
  ResultCache(const ResultCache&) = delete;
  ResultCache& operator=(const ResultCache&) = delete;

  /// Returns the result of this spec file if it is kept and all files that it depends on are the same.
  std::optional<SpecResult> find(const std::string& file, const VerifyOptions& options, const Limits& limits);
  /// Keeps the result, unless it could be another one the next time (a limit of time or memory), or is confidential,
  /// or would not be printed the same after it is read back.
  void keep(const SpecResult& result, const VerifyOptions& options, const Limits& limits, const Effort& effort);
  /// Why the last entry that was to be written is missing; empty: all are written.
  std::string complaint() const;

 private:
  std::string path_of(const std::string& key) const;
  void write(const std::string& key, const std::string& entry);
  void evict();

  Settings settings_;
  std::string program_;  // digest of this program and what it is linked with
  mutable std::mutex guard_;
  std::uint64_t bytes_ = 0;  // of all entries, as far as this run knows
  std::string complaint_;
};

}  // namespace oddsbound::app
