// Text of every class that a file may hold and that no output may show as it is: one example each, with its class.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace oddsbound::testing {

/// Valid UTF-8, but hidden: controls a terminal, changes text direction, ends a line, or is invisible.
inline std::vector<std::pair<std::string, std::string>> hidden_characters() {
  std::vector<std::pair<std::string, std::string>> all;
  for (char c = 1; c < 0x20; ++c) all.emplace_back("C0", std::string(1, c));
  all.emplace_back("DEL", "\x7f");
  for (int c = 0x80; c < 0xa0; ++c) all.emplace_back("C1", std::string("\xc2") + static_cast<char>(c));
  for (const char* mark : {"\xd8\x9c", "\xe2\x80\x8e", "\xe2\x80\x8f"}) all.emplace_back("a mark of direction", mark);
  for (char c = '\xaa'; c <= '\xae'; ++c) all.emplace_back("an embedding", std::string("\xe2\x80") + c);
  for (char c = '\xa6'; c <= '\xa9'; ++c) all.emplace_back("an isolate", std::string("\xe2\x81") + c);
  for (const char* zero : {"\xe2\x80\x8b", "\xe2\x81\xa0", "\xef\xbb\xbf", "\xc2\xad", "\xcd\x8f", "\xe1\xa0\x8e",
                           "\xe3\x85\xa4", "\xf3\xa0\x80\xa0"}) {
    all.emplace_back("no width", zero);
  }
  for (const char* end : {"\xe2\x80\xa8", "\xe2\x80\xa9"}) all.emplace_back("a separator", end);
  for (const char* none : {"\xef\xbf\xbe", "\xef\xbf\xbf", "\xef\xb7\x90", "\xf0\x9f\xbf\xbe", "\xf4\x8f\xbf\xbf"}) {
    all.emplace_back("a noncharacter", none);
  }
  return all;
}

/// Bytes that are not UTF-8.
inline std::vector<std::pair<std::string, std::string>> invalid_bytes() {
  return {{"a byte that is never used", "\xff"},
          {"a continuation without a beginning", "\x9b"},  // CSI to an 8-bit terminal
          {"an overlong form of two bytes", "\xc0\x9b"},
          {"an overlong form of three bytes", "\xe0\x80\x9b"},
          {"an overlong form of four bytes", "\xf0\x80\x80\x9b"},
          {"a surrogate", "\xed\xa0\x80"},
          {"beyond U+10FFFF", "\xf4\x90\x80\x80"},
          {"cut short", "\xe2\x80"}};
}

/// Texts that are shown unchanged.
inline std::vector<std::string> plain_texts() {
  return {"plain", "ä€😀", "क्‍ष", "می‌خواهم", "👩‍💻", "❤️", "\\x1b"};
}

}  // namespace oddsbound::testing
