#include "reports/layout.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

#include "base/characters.h"

namespace oddsbound::reports {

namespace {

// Also recognizes signs after blanks or hidden characters, and their full-width forms: LibreOffice and Excel treat
// them alike.
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
  // A tab or line end at the beginning is reportedly enough for some programs.
  const bool breaks = text.find_first_of("\t\r\n") == 0;
  const std::string shown = visible(text);
  return csv_cell(breaks || begins_formula(text) ? "'" + shown : shown);
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  bool in_sequence = false;
  for (const char c : text) {
    if (c == '\x1b') in_sequence = true;
    const bool continues = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
    if (!in_sequence && !continues) ++columns;
    if (c == 'm') in_sequence = false;
  }
  return columns;
}

std::string padded(const std::string& text, std::size_t columns) {
  const std::size_t own = columns_of(text);
  return own < columns ? text + std::string(columns - own, ' ') : text;
}

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns_of(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) line += "  " + padded(row[i], widths[i]);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string wrapped(std::string_view line, std::size_t width, std::size_t indent) {
  if (width == 0) return std::string(line);
  const std::string margin(std::min(indent, width / 2), ' ');
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  std::string text;
  std::string current(line.substr(0, begin));
  std::size_t columns = begin;
  bool has_word = false;
  for (std::size_t at = begin; at < line.size();) {
    const std::size_t word = std::min(line.find_first_not_of(' ', at), line.size());
    const std::size_t end = std::min(line.find(' ', word), line.size());
    const std::size_t needed = (word - at) + columns_of(line.substr(word, end - word));
    if (has_word && columns + needed > width) {
      text += current + "\n";
      current = margin;
      columns = margin.size();
      at = word;
    }
    current += line.substr(at, end - at);
    columns += (word - at) + columns_of(line.substr(word, end - word));
    has_word = true;
    at = end;
  }
  return text + current;
}

std::string wrapped_lines(std::string_view text, std::size_t width) {
  if (width == 0) return std::string(text);
  constexpr std::size_t kFurther = 2;
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    lines += wrapped(line, width, std::min(line.find_first_not_of(' '), line.size()) + kFurther);
    if (end < text.size()) lines += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string in_blocks(const std::vector<std::vector<std::string>>& rows, std::size_t fixed, std::size_t width) {
  const std::size_t columns = rows[0].size();
  std::vector<std::size_t> widths(columns);
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < columns; ++k) widths[k] = std::max(widths[k], columns_of(row[k]) + 2);
  }
  const std::size_t used_by_fixed =
      std::accumulate(widths.begin(), widths.begin() + static_cast<std::ptrdiff_t>(fixed), std::size_t{0});
  std::string text;
  for (std::size_t first = fixed; first < columns;) {
    std::size_t used = used_by_fixed, end = first;
    while (end < columns && (end == first || width == 0 || used + widths[end] <= width)) used += widths[end++];
    std::vector<std::vector<std::string>> block;
    for (const auto& row : rows) {
      std::vector<std::string>& line =
          block.emplace_back(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(fixed));
      line.insert(line.end(), row.begin() + static_cast<std::ptrdiff_t>(first),
                  row.begin() + static_cast<std::ptrdiff_t>(end));
    }
    text += (text.empty() ? "" : "\n") + aligned(block);
    first = end;
  }
  return text;
}

}  // namespace oddsbound::reports
