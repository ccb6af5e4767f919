// Escapes text from files for other languages, whatever it contains.
#pragma once

#include <string>
#include <string_view>

#include "base/namespaces.h"

namespace oddsbound::reports {

/// For HTML or XML, between tags or in a quoted attribute. Hidden characters (base/characters.h) and invalid UTF-8
/// become U+FFFD.
std::string escaped_markup(std::string_view text);
/// For GitHub's Markdown: no formatting, no links, no mentions, one line.
std::string escaped_markdown(std::string_view text);
/// For a SARIF message, before JSON encoding: no links, one line.
std::string sarif_text(std::string_view text);
/// Returns a path as a URI reference (RFC 3986).
std::string uri_reference(std::string path);

}  // namespace oddsbound::reports
