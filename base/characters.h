// Characters of UTF-8 text from files, and which of them must not be shown unescaped.
//
// A character is hidden if it controls the display or is invisible: control characters (C0, DEL, C1), direction
// marks (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), line and paragraph separators (U+2028,
// U+2029), deprecated and annotation marks (U+206A to U+206F, U+FFF9 to U+FFFB), characters without width (U+00AD,
// U+034F, U+115F, U+1160, U+17B4, U+17B5, U+180B to U+180F, U+200B, U+2060 to U+2065, U+3164, U+FEFF, U+FFA0),
// unassigned default-ignorables (U+FFF0 to U+FFF8), format controls of shorthand and music (U+1BCA0 to U+1BCA3,
// U+1D173 to U+1D17A), tags (U+E0000 to U+E00FF, U+E01F0 to U+E0FFF) and noncharacters. U+200C, U+200D and
// variation selectors are parts of words and of emoji and are shown. Every function that writes text for people
// uses this list: `printable`, `escaped_markup`, `escaped_markdown`, `visible`, `json_escaped`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/namespaces.h"

namespace oddsbound::base {

/// The first character of a non-empty text. A byte that is not valid UTF-8 (in overlong forms, surrogates and
/// truncated sequences too) is one invalid character of one byte.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;

  bool is_hidden() const;
};
Character first_character(std::string_view text);

/// Returns text that is safe on a terminal: each byte of a hidden character (line ends included) and each byte
/// that is not UTF-8 becomes \x and two hex digits. Text longer than `longest` bytes is cut in the middle.
std::string printable(std::string_view text, std::size_t longest = 80);

/// Returns whole lines that are safe on a terminal or in a CI log. A last guard: the parts should be printable
/// already. Line ends and tabs stay; with `colors`, so do the color sequences of this program. No line starts with
/// a command of GitHub ("::") or Azure ("##"), which a name at the start of a line could form.
std::string printable_lines(std::string_view text, bool colors = false);

/// Returns text for formats that accept any character (SARIF messages): hidden characters and bytes that are not
/// UTF-8 become U+FFFD, tabs and line ends become spaces.
std::string visible(std::string_view text);

/// Returns the JSON text of a library with the hidden characters in it escaped: same values, safe to show.
std::string json_escaped(std::string json);

}  // namespace oddsbound::base
