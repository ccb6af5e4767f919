// Text from files as text in other languages: whatever it holds, it stays text.
#pragma once

#include <string>
#include <string_view>

#include "base/namespaces.h"

namespace oddsbound::reports {

/// In HTML or XML, between tags or in a quoted attribute. Hidden characters (base/characters.h) and bytes that are not
/// UTF-8 become U+FFFD.
std::string escaped_markup(std::string_view text);
/// In Markdown (GitHub's): no formatting, no links, no mentions, one line.
std::string escaped_markdown(std::string_view text);
/// In a message of SARIF, as a string that JSON is made of: no links, one line.
std::string sarif_text(std::string_view text);
/// A path as a URI reference (RFC 3986).
std::string uri_reference(std::string path);

}  // namespace oddsbound::reports
