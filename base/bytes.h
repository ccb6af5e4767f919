// Binary serialization of values, for other processes and for files of this program (checkpoints). Values are read
// back in the order in which they were written; integers are 64-bit little-endian. Also SHA-256 and HMAC-SHA-256.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"

namespace oddsbound::base {

inline constexpr std::uint64_t kFnvOffset = 0xcbf29ce484222325ULL;

/// Returns the FNV-1a hash of bytes, or the hash of what precedes them and the bytes. No verdict rests on it.
constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t before = kFnvOffset) {
  for (const char c : bytes) before = (before ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return before;
}

using Bytes = std::string;

/// Malformed bytes: truncated, or not what this run would have written.
class BytesError : public std::runtime_error {
 public:
  explicit BytesError(const std::string& reason)
      : std::runtime_error("a checkpoint, or another process, has not what this run would have written: " + reason) {}
};

class BinaryWriter {
 public:
  BinaryWriter& put(std::uint64_t value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + 8);
    for (std::size_t k = 0; k < 8; ++k) bytes_[at + k] = static_cast<char>(value >> 8 * k & 0xff);
    return *this;
  }
  BinaryWriter& put(double value) { return put(std::bit_cast<std::uint64_t>(value)); }
  BinaryWriter& put(bool value) { return put(std::uint64_t{value}); }
  BinaryWriter& put(std::string_view text) {
    put(std::uint64_t{text.size()});
    bytes_ += text;
    return *this;
  }
  BinaryWriter& put(const std::string& text) { return put(std::string_view(text)); }
  BinaryWriter& put(const char* text) { return put(std::string_view(text)); }
  template <std::unsigned_integral Word>
  BinaryWriter& put(Word value) {
    return put(std::uint64_t{value});
  }
  template <class Value>
  BinaryWriter& put(const std::vector<Value>& values) {
    put(std::uint64_t{values.size()});
    for (const auto& value : values) put(value);
    return *this;
  }
  BinaryWriter& put(const std::vector<bool>& values) {
    put(std::uint64_t{values.size()});
    for (const bool value : values) put(value);
    return *this;
  }
  Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

/// Throws BytesError if the bytes end too early or hold a number outside the range that the caller states. Bytes
/// come from other processes and from files that anyone may have changed, so every reader of an index passes its
/// bound.
class BinaryReader {
 public:
  explicit BinaryReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t word() {
    const std::string_view eight = next(8);
    std::uint64_t value = 0;
    for (int k = 7; k >= 0; --k) value = value << 8 | static_cast<unsigned char>(eight[static_cast<std::size_t>(k)]);
    return value;
  }
  /// Returns a number < end: an index or a count.
  std::uint64_t below(std::uint64_t end) {
    const std::uint64_t value = word();
    if (value >= end) {
      throw BytesError("found " + std::to_string(value) + ", expected a number below " + std::to_string(end));
    }
    return value;
  }
  /// Returns an enumerator with a value from 0 to `last`.
  template <class Enum>
  Enum one_of(Enum last) {
    return static_cast<Enum>(below(static_cast<std::uint64_t>(last) + 1));
  }
  double number() { return std::bit_cast<double>(word()); }
  /// Returns a number >= 0, possibly infinite. Rejects NaN.
  double bound() {
    const double value = number();
    if (!(value >= 0)) throw BytesError("found " + std::to_string(value) + ", expected a number of at least 0");
    return value;
  }
  bool flag() { return below(2) == 1; }
  std::string text() {
    const std::uint64_t size = word();
    return std::string(next(size));
  }
  /// Returns the number of elements that follow, each of at least `least_bytes` bytes. Throws if the rest is too
  /// short for them.
  std::size_t count(std::size_t least_bytes = 8) {
    const std::uint64_t count = word();
    if (count > bytes_.size() / least_bytes) throw BytesError("bytes are missing");
    return count;
  }
  template <std::unsigned_integral Word>
  std::vector<Word> words() {
    std::vector<Word> values(count());
    for (Word& value : values) {
      const std::uint64_t read = word();
      if (read > std::numeric_limits<Word>::max()) throw BytesError(std::to_string(read) + " is too large");
      value = static_cast<Word>(read);
    }
    return values;
  }
  std::vector<Bytes> texts() {
    std::vector<Bytes> values(count());
    for (Bytes& value : values) value = text();
    return values;
  }
  bool at_end() const { return bytes_.empty(); }
  void require_end() const {
    if (!at_end()) throw BytesError("there are " + std::to_string(bytes_.size()) + " bytes too many");
  }

 private:
  std::string_view next(std::uint64_t size) {
    if (size > bytes_.size()) throw BytesError("bytes are missing");
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  std::string_view bytes_;
};

// SHA-256 and HMAC-SHA-256.

using Digest = std::array<unsigned char, 32>;

/// Returns the SHA-256 digest. Throws std::runtime_error if OpenSSL fails.
Digest digest_of(std::string_view bytes);

/// Returns the same digest in hexadecimal.
std::string sha256(std::string_view bytes);
/// Returns HMAC-SHA-256 in hexadecimal (RFC 2104): without the key, nobody can tell which bytes it authenticates.
std::string hmac_sha256(std::string_view key, std::string_view bytes);

}  // namespace oddsbound::base
