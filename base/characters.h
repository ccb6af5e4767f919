// Characters of UTF-8 text from files, and which of them must not be shown as they are.
//
// A character is hidden if it steers what shows the text or is not seen: control characters (C0, DEL, C1), marks of
// direction (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), line and paragraph separators (U+2028,
// U+2029), deprecated and annotating marks (U+206A to U+206F, U+FFF9 to U+FFFB), what has no width (U+00AD, U+034F,
// U+115F, U+1160, U+17B4, U+17B5, U+180B to U+180F, U+200B, U+2060 to U+2065, U+3164, U+FEFF, U+FFA0), tags (U+E0000 to
// U+E00FF, U+E01F0 to U+E0FFF) and noncharacters. U+200C, U+200D and variation selectors are parts of words and of
// emoji, and are shown. Every function that writes text for people decides by this list: `printable`, `escaped_markup`,
// `escaped_markdown`, `visible`, `json_escaped`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/namespaces.h"

namespace oddsbound::base {

/// The character at the beginning of a text that is not empty. Bytes that are not UTF-8 (overlong forms, surrogates and
/// beginnings of cut sequences among them) are characters of one byte each that are not valid.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;

  bool is_hidden() const;
};
Character first_character(std::string_view text);

/// Text as it may be shown on a terminal: hidden characters, line ends among them, and bytes that are not UTF-8 are
/// written as \x and two digits for each byte. Text of more bytes than `longest` is cut in the middle.
std::string printable(std::string_view text, std::size_t longest = 80);

/// Whole lines for a terminal or a log of CI, of words that are printable already: a last guard. Line ends and tabs
/// stay, and so do the colors that this program writes where `colors`. No line begins as a command to GitHub ("::") or
/// to Azure ("##"): a name at the beginning of a line could give one.
std::string printable_lines(std::string_view text, bool colors = false);

/// Text for a format that takes any character as text (a message in SARIF): hidden characters and bytes that are not
/// UTF-8 become U+FFFD. Tabs and line ends become blanks.
std::string visible(std::string_view text);

/// JSON, as it was written by a library, with hidden characters within it escaped: the same values, shown safely.
std::string json_escaped(std::string json);

}  // namespace oddsbound::base
