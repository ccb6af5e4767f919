#include "specs/spec_error.h"

#include <algorithm>

namespace oddsbound::specs {

namespace {

std::string formatted(const SourcePlace& place, const std::string& message, const std::string& hint) {
  std::string text = printable(place.file, 400);
  if (place.line > 0) text += ":" + std::to_string(place.line);
  if (place.line > 0 && place.column > 0) text += ":" + std::to_string(place.column);
  if (!place.pointer.empty()) text += ": " + printable(place.pointer, 200);
  text += ": " + message;
  if (!hint.empty()) text += " (" + hint + ")";
  return text;
}

// How many bytes at the beginning steer a terminal instead of being shown: control characters (C0, C1, DEL) and the
// marks that reverse the direction of text.
std::size_t steering_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  if (byte(0) < 0x20 || byte(0) == 0x7f) return 1;
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) <= 0x9f) return 2;
  if (byte(0) == 0xe2 && byte(1) == 0x80 &&
      ((byte(2) >= 0xaa && byte(2) <= 0xae) || byte(2) == 0x8e || byte(2) == 0x8f))
    return 3;
  if (byte(0) == 0xe2 && byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9) return 3;
  return 0;
}

}  // namespace

SpecError::SpecError(SourcePlace place, const std::string& message, std::string hint)
    : std::runtime_error(formatted(place, message, hint)),
      place_(std::move(place)),
      message_(message),
      hint_(std::move(hint)) {}

std::string printable(std::string_view text, std::size_t longest) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string result;
  const auto append = [&](std::string_view part) {
    for (std::size_t i = 0; i < part.size();) {
      const std::size_t hidden = steering_bytes(part.substr(i));
      for (const char c : part.substr(i, hidden)) {
        const unsigned char byte = static_cast<unsigned char>(c);
        result += std::string("\\x") + kHex[byte >> 4] + kHex[byte & 15];
      }
      if (hidden == 0) result += part[i];
      i += std::max<std::size_t>(1, hidden);
    }
  };
  const auto boundary = [&](std::size_t position) {
    while (position < text.size() && (static_cast<unsigned char>(text[position]) & 0xc0) == 0x80) ++position;
    return position;
  };
  if (text.size() <= longest) {
    append(text);
    return result;
  }
  append(text.substr(0, boundary(longest / 2)));
  result += "...";
  append(text.substr(boundary(text.size() - longest / 4)));
  return result;
}

}  // namespace oddsbound::specs
