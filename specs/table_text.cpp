#include "specs/table_text.h"

#include <algorithm>

#include "base/characters.h"
#include "specs/csv.h"
#include "specs/spec_error.h"

namespace oddsbound::specs {

char separator_by(std::string_view text, Budget& budget,
                  const std::function<bool(const std::vector<std::string>&)>& is_meant) {
  for (const char separator : {',', ';', '\t'}) {
    try {
      if (is_meant(first_csv_row("", text, budget, separator))) return separator;
    } catch (const SpecError&) {
      continue;  // the reader reports it under the separator that is returned
    }
  }
  return ',';
}

char separator_with(std::string_view text, Budget& budget, const std::vector<std::string>& columns) {
  return separator_by(text, budget, [&](const std::vector<std::string>& header) {
    return std::any_of(columns.begin(), columns.end(), [&](const std::string& name) {
      return std::find(header.begin(), header.end(), name) != header.end();
    });
  });
}

void note_separator(const std::string& path, char separator, std::vector<SourceFile>& files) {
  for (SourceFile& file : files) {
    if (file.file == path) file.separator = separator;
  }
}

namespace {

std::string conversion_from(const std::string& encoding, const std::string& file) {
  return "convert it: iconv -f " + encoding + " -t UTF-8 '" + printable(file, 200) + "' > utf-8.csv";
}

// The offset of the first byte that is not UTF-8; npos if there is none.
std::size_t first_not_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Character character = first_character(text.substr(at));
    if (!character.valid) return at;
    at += character.bytes;
  }
  return std::string_view::npos;
}

// Windows-1252 has letters and quotes where Latin-1 has control characters.
const char* guessed_encoding(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return "UTF-16";
  const bool letters = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 && static_cast<unsigned char>(c) < 0xa0;
  });
  return letters ? "WINDOWS-1252" : "LATIN1";
}

}  // namespace

void require_utf8(const std::string& file, std::string_view text) {
  const std::size_t at = first_not_utf8(text);
  if (at == std::string_view::npos) return;
  const std::string_view before = text.substr(0, at);
  const std::size_t line_end = before.rfind('\n');
  const std::size_t column = line_end == std::string_view::npos ? at + 1 : at - line_end;
  const auto line = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const char* encoding = guessed_encoding(text);
  throw SpecError({file, line, column, ""},
                  "the byte " + printable(text.substr(at, 1)) + " is not UTF-8: the table may be in " + encoding,
                  conversion_from(encoding, file));
}

std::string hint_of_encoding(const std::string& file, std::string_view cell) {
  return first_not_utf8(cell) == std::string_view::npos
             ? ""
             : "this is not UTF-8; " + conversion_from(guessed_encoding(cell), file);
}

}  // namespace oddsbound::specs
