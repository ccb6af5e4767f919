#include "results/csv_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "base/characters.h"

namespace oddsbound::results {

namespace {

// Also behind whatever is blank or not seen, and in the widths that East Asian input methods give: LibreOffice and
// Excel take these for the same signs.
bool begins_formula(std::string_view text) {
  constexpr std::array<char32_t, 7> kOtherBlanks{0xa0, 0x1680, 0x200c, 0x200d, 0x202f, 0x205f, 0x3000};
  constexpr std::array<char32_t, 13> kSigns{'=',    '+',    '-',    '@',    0x2212, 0xfe62, 0xfe63,
                                            0xfe66, 0xfe6b, 0xff0b, 0xff0d, 0xff1d, 0xff20};
  while (!text.empty()) {
    const Character character = first_character(text);
    const char32_t code = character.code;
    const bool is_blank = code == ' ' || character.is_hidden() || (code >= 0x2000 && code <= 0x200a) ||
                          std::find(kOtherBlanks.begin(), kOtherBlanks.end(), code) != kOtherBlanks.end();
    if (!is_blank) return std::find(kSigns.begin(), kSigns.end(), code) != kSigns.end();
    text.remove_prefix(character.bytes);
  }
  return false;
}

}  // namespace

std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos && !text.empty()) return text;
  std::string cell = "\"";
  for (const char c : text) cell += c == '"' ? "\"\"" : std::string(1, c);
  return cell + "\"";
}

std::string csv_cell(double value) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr};
}

std::string csv_cell_for_people(const std::string& text) {
  // A tab or a line's end at the beginning is said to be enough for some programs.
  const bool breaks = text.find_first_of("\t\r\n") == 0;
  const std::string shown = visible(text);
  return csv_cell(breaks || begins_formula(text) ? "'" + shown : shown);
}

}  // namespace oddsbound::results
