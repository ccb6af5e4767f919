// Values as bytes, for what goes to another process or to a file of this program's own: read back in the same order.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/namespaces.h"

namespace oddsbound::base {

using Bytes = std::string;

/// Bytes that are not what they should be: cut short, or of something else.
class BytesError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Packer {
 public:
  Packer& put(std::uint64_t value) {
    const std::size_t at = bytes_.size();
    bytes_.resize(at + 8);
    for (std::size_t k = 0; k < 8; ++k) bytes_[at + k] = static_cast<char>(value >> 8 * k & 0xff);
    return *this;
  }
  Packer& put(double value) { return put(std::bit_cast<std::uint64_t>(value)); }
  Packer& put(bool value) { return put(std::uint64_t{value}); }
  Packer& put(std::string_view text) {
    put(std::uint64_t{text.size()});
    bytes_ += text;
    return *this;
  }
  Packer& put(const std::string& text) { return put(std::string_view(text)); }
  Packer& put(const char* text) { return put(std::string_view(text)); }
  template <std::unsigned_integral Word>
  Packer& put(Word value) {
    return put(std::uint64_t{value});
  }
  template <class Value>
  Packer& put(const std::vector<Value>& values) {
    put(std::uint64_t{values.size()});
    for (const auto& value : values) put(value);
    return *this;
  }
  Packer& put(const std::vector<bool>& values) {
    put(std::uint64_t{values.size()});
    for (const bool value : values) put(value);
    return *this;
  }
  Bytes take() { return std::move(bytes_); }

 private:
  Bytes bytes_;
};

/// Throws BytesError where the bytes end too early.
class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t word() {
    const std::string_view eight = next(8);
    std::uint64_t value = 0;
    for (int k = 7; k >= 0; --k) value = value << 8 | static_cast<unsigned char>(eight[static_cast<std::size_t>(k)]);
    return value;
  }
  double number() { return std::bit_cast<double>(word()); }
  bool flag() { return word() != 0; }
  std::string text() {
    const std::uint64_t size = word();
    return std::string(next(size));
  }
  /// How many things follow, each of at least so many bytes.
  std::size_t count(std::size_t least_bytes = 8) {
    const std::uint64_t count = word();
    if (count > bytes_.size() / least_bytes) throw BytesError("bytes are missing");
    return count;
  }
  template <std::unsigned_integral Word>
  std::vector<Word> words() {
    std::vector<Word> values(count());
    for (Word& value : values) value = static_cast<Word>(word());
    return values;
  }
  std::vector<Bytes> texts() {
    std::vector<Bytes> values(count());
    for (Bytes& value : values) value = text();
    return values;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view next(std::uint64_t size) {
    if (size > bytes_.size()) throw BytesError("bytes are missing");
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }

  std::string_view bytes_;
};

}  // namespace oddsbound::base
