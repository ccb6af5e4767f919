#include "base/characters.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace oddsbound::base {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";
constexpr char kHex[] = "0123456789abcdef";

// First and last code point of each hidden range, ascending.
constexpr std::array<std::pair<char32_t, char32_t>, 22> kHidden{
    {{0x00, 0x1f},       {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},    {0x61c, 0x61c},   {0x115f, 0x1160},
     {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x200b, 0x200b},   {0x200e, 0x200f},  {0x2028, 0x202e}, {0x2060, 0x206f},
     {0x3164, 0x3164},   {0xfdd0, 0xfdef},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},  {0xfff0, 0xfffb}, {0xfffe, 0xffff},
     {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe00ff}, {0xe01f0, 0xe0fff}}};

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

void append_bytes(std::string& result, std::string_view bytes) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    result += "\\x";
    result += kHex[byte >> 4];
    result += kHex[byte & 15];
  }
}

void append_printable(std::string& result, std::string_view text) {
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.bytes);
    character.is_hidden() ? append_bytes(result, bytes) : void(result += bytes);
    text.remove_prefix(character.bytes);
  }
}

// Returns the length of a color sequence of this program at the start of the text; 0 if there is none.
std::size_t color_at(std::string_view text) {
  for (const std::string_view color : {"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"}) {
    if (text.starts_with(color)) return color.size();
  }
  return 0;
}

bool begins_command(std::string_view text) { return text.starts_with("::") || text.starts_with("##"); }

void append_escape(std::string& result, char32_t unit) {
  result += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) result += kHex[unit >> shift & 15];
}

}  // namespace

Character first_character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  if (first < 0x80) return {first, 1, true};
  const std::size_t length = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  const Character invalid{first, 1, false};
  if (length == 0 || text.size() < length) return invalid;
  char32_t code = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(text[i])) return invalid;
    code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3f);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (overlong || (code >= 0xd800 && code <= 0xdfff) || code > 0x10ffff) return invalid;
  return {code, length, true};
}

bool Character::is_hidden() const {
  if (!valid) return true;
  const auto range = std::upper_bound(kHidden.begin(), kHidden.end(), code,
                                      [](char32_t value, const auto& one) { return value < one.first; });
  // The last two code points of every plane are noncharacters.
  return (range != kHidden.begin() && code <= std::prev(range)->second) || (code & 0xfffe) == 0xfffe;
}

std::string printable(std::string_view text, std::size_t longest) {
  std::string result;
  if (text.size() <= longest) {
    append_printable(result, text);
    return result;
  }
  const auto boundary = [&](std::size_t position) {
    while (position < text.size() && is_continuation(text[position])) ++position;
    return position;
  };
  append_printable(result, text.substr(0, boundary(longest / 2)));
  result += "...";
  append_printable(result, text.substr(boundary(text.size() - longest / 4)));
  return result;
}

std::string printable_lines(std::string_view text, bool colors) {
  std::string result;
  result.reserve(text.size());
  bool is_margin = true;  // nothing but blanks and colors so far in this line
  while (!text.empty()) {
    const std::size_t color = colors ? color_at(text) : 0;
    const Character character = first_character(text);
    const std::size_t bytes = color > 0 ? color : character.bytes;
    const bool is_blank = text[0] == '\n' || text[0] == '\t';
    const bool stays = color > 0 || is_blank || !(character.is_hidden() || (is_margin && begins_command(text)));
    stays ? void(result += text.substr(0, bytes)) : append_bytes(result, text.substr(0, bytes));
    is_margin = text[0] == '\n' || (is_margin && (color > 0 || is_blank || text[0] == ' '));
    text.remove_prefix(bytes);
  }
  return result;
}

std::string visible(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character character = first_character(text);
    if (text[0] == '\t' || text[0] == '\n') {
      result += ' ';
    } else {
      result += character.is_hidden() ? kReplacement : text.substr(0, character.bytes);
    }
    text.remove_prefix(character.bytes);
  }
  return result;
}

std::string json_escaped(std::string json) {
  const auto may_be_hidden = [](char c) { return static_cast<unsigned char>(c) >= 0x7f; };
  auto next = std::find_if(json.begin(), json.end(), may_be_hidden);
  if (next == json.end()) return json;
  std::string result(json.begin(), next);
  std::string_view rest = std::string_view(json).substr(result.size());
  while (!rest.empty()) {
    const Character character = first_character(rest);
    // Hidden ASCII characters are already escaped inside strings, or are whitespace between values.
    if (character.code < 0x7f || !character.is_hidden()) {
      result += rest.substr(0, character.bytes);
    } else if (character.code > 0xffff) {
      append_escape(result, 0xd800 + ((character.code - 0x10000) >> 10));
      append_escape(result, 0xdc00 + ((character.code - 0x10000) & 0x3ff));
    } else {
      append_escape(result, character.valid ? character.code : 0xfffd);
    }
    rest.remove_prefix(character.bytes);
  }
  return result;
}

}  // namespace oddsbound::base
