#include "reports/markup.h"

#include <algorithm>
#include <filesystem>

#include "base/characters.h"

namespace oddsbound::reports {

namespace {

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// Addresses begin so even without a scheme.
bool ends_with_www(const std::string& text) {
  if (text.size() < 3) return false;
  return std::all_of(text.end() - 3, text.end(), [](char c) { return c == 'w' || c == 'W'; });
}

template <typename Write>
std::string rewritten(std::string_view text, Write write) {
  std::string result;
  while (!text.empty()) {
    const Character character = first_character(text);
    const bool is_blank = text[0] == '\t' || text[0] == '\n';
    if (character.is_hidden() && !is_blank) {
      result += kReplacement;
    } else {
      write(text.substr(0, character.bytes), result);
    }
    text.remove_prefix(character.bytes);
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

std::string sarif_text(std::string_view text) {
  std::string result;
  for (const char c : visible(text)) {
    // Between these two a viewer would find a link (SARIF, 3.11.6).
    if (c == '(' && result.ends_with(']')) result += ' ';
    result += c;
  }
  return result;
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
