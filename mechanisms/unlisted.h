// Mechanisms whose outputs are too many to be listed: of them there is the code that runs, and no channel. What a run
// tells are numbers, each about something: how many people are old, and have a job.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mechanisms/random/source.h"

namespace oddsbound::mechanisms {

/// What a number is about, as a key that is the same in every run. That two things have one key is as good as
/// impossible, and costs an audit some of its power, never its soundness.
using ToldKey = std::uint64_t;
/// The key of a sequence of numbers (FNV-1a).
constexpr ToldKey key_of(std::span<const std::uint64_t> parts) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (std::uint64_t part : parts) {
    for (int byte = 0; byte < 8; ++byte, part >>= 8) hash = (hash ^ (part & 0xff)) * 0x100000001b3ULL;
  }
  return hash;
}
/// The same of a name.
constexpr ToldKey key_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

struct KeyedNumber {
  ToldKey key = 0;
  double number = 0;  // 1 where all that is told is that it is listed
  friend bool operator==(const KeyedNumber&, const KeyedNumber&) = default;
};

class UnlistedMechanism {
 public:
  virtual ~UnlistedMechanism() = default;
  /// Runs it, only through choices (random/choice.h), and says what was told, in whatever order; no key twice.
  virtual std::vector<KeyedNumber> draw(std::uint64_t x, RandomSource& source) const = 0;
  /// Runs it, and says what was told as a label.
  virtual std::string draw_label(std::uint64_t x, RandomSource& source) const = 0;
};

}  // namespace oddsbound::mechanisms
