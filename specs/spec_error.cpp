#include "specs/spec_error.h"

namespace oddsbound {

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
    for (const char c : part) {
      const unsigned char byte = static_cast<unsigned char>(c);
      if (byte >= 0x20 && byte != 0x7f) {
        result += c;
      } else {
        result += std::string("\\x") + kHex[byte >> 4] + kHex[byte & 15];
      }
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

}  // namespace oddsbound
