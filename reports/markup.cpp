#include "reports/markup.h"

namespace oddsbound {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// The length of the UTF-8 sequence at the beginning, 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80   ? 1
                             : first < 0xc2 ? 0
                             : first < 0xe0 ? 2
                             : first < 0xf0 ? 3
                             : first < 0xf5 ? 4
                                            : 0;
  if (length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  if (length == 3 && ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xed && byte(1) >= 0xa0))) return 0;
  if (length == 4 && ((first == 0xf0 && byte(1) < 0x90) || (first == 0xf4 && byte(1) >= 0x90))) return 0;
  return length;
}

bool is_forbidden(std::string_view sequence) {
  const auto first = static_cast<unsigned char>(sequence[0]);
  const bool control = first < 0x20 && first != '\t' && first != '\n';
  return control || first == 0x7f || sequence == "\xef\xbf\xbe" || sequence == "\xef\xbf\xbf";
}

template <typename Write>
std::string rewritten(std::string_view text, Write write) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0 || is_forbidden(text.substr(0, length))) {
      result += kReplacement;
    } else {
      write(text.substr(0, length), result);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

}  // namespace

std::string escaped_markup(std::string_view text) {
  return rewritten(text, [](std::string_view part, std::string& result) {
    switch (part[0]) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      case '\t': result += "&#9;"; break;
      case '\n': result += "&#10;"; break;
      default: result += part;
    }
  });
}

std::string escaped_markdown(std::string_view text) {
  return rewritten(text, [](std::string_view part, std::string& result) {
    constexpr std::string_view kPunctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    constexpr std::string_view kHarmless = "'(),./;=+-% ";
    const char c = part[0];
    if (c == '\t' || c == '\n') {
      result += ' ';
    } else if (part.size() == 1 && kPunctuation.find(c) != std::string_view::npos &&
               kHarmless.find(c) == std::string_view::npos) {
      // As entities rather than with backslashes: those do not stop mentions, nor a bar within a table.
      result += "&#" + std::to_string(static_cast<int>(c)) + ";";
    } else {
      result += part;
    }
  });
}

}  // namespace oddsbound
