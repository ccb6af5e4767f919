#include "reports/markup.h"

#include <filesystem>

#include <algorithm>

namespace oddsbound::reports {

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
  const bool c1 = first == 0xc2 && static_cast<unsigned char>(sequence[1]) < 0xa0;
  // Marks that turn the direction of what follows: U+202A to U+202E, U+2066 to U+2069.
  const bool turns = (sequence >= "\xe2\x80\xaa" && sequence <= "\xe2\x80\xae") ||
                     (sequence >= "\xe2\x81\xa6" && sequence <= "\xe2\x81\xa9");
  return control || c1 || turns || first == 0x7f || sequence == "\xef\xbf\xbe" || sequence == "\xef\xbf\xbf";
}

// Addresses begin so even without a scheme.
bool ends_with_www(const std::string& text) {
  if (text.size() < 3) return false;
  return std::all_of(text.end() - 3, text.end(), [](char c) { return c == 'w' || c == 'W'; });
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
      // As entities, because a backslash does not save a bar within a table. Mentions, references and addresses are
      // found after entities are read: a space without width keeps them apart.
      result += "&#" + std::to_string(static_cast<int>(c)) + ";";
      if (c == '@' || c == '#' || c == ':') result += "&#8203;";
    } else {
      if (c == '.' && ends_with_www(result)) result += "&#8203;";
      result += part;
    }
  });
}

std::string uri_reference(std::string path) {
  std::error_code ignored;
  if (path.starts_with("/")) path = std::filesystem::weakly_canonical(path, ignored).string();
  constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') ||
                       std::string_view("-._~/").find(c) != std::string_view::npos;
    plain ? void(uri += c) : void(uri += std::string("%") + kHex[byte >> 4] + kHex[byte & 15]);
  }
  return uri.starts_with("/") ? "file://" + uri : uri;
}

}  // namespace oddsbound::reports
