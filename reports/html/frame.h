// What all pages have around what they say: head, style, script, and what they were made with.
#pragma once

#include <span>
#include <string>

#include "reports/formats.h"

namespace oddsbound::reports {

/// Whether figures are drawn anew by the page's script.
bool has_script(const FormatOptions& options);
/// The page. title: a text without markup; body: HTML.
std::string whole_page(const std::string& title, const std::string& body, const FormatOptions& options);
/// How what the page says is to be read (a text without markup), what it was made with and from.
std::string page_footer(const std::string& reading, const MadeWith& made_with, std::span<const SourceFile> files);

}  // namespace oddsbound::reports
