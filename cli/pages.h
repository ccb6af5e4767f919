// A report of many specs as HTML: an index, and beside it a folder with a page for each spec and audit.
#pragma once

#include <string>

#include "oddsbound/oddsbound.h"

namespace oddsbound::cli {

/// So many specs and audits are on one page at most: a page of 1,000 specs has hundreds of MB, and no browser shows it.
inline constexpr std::size_t kMostOnOnePage = 64;

/// The folder of pages beside the index `file`, without what is above it.
std::string folder_of_pages(const std::string& file);
/// True if this report gets an index and pages when it is written to `file`. Pipes and standard output get one page.
bool has_pages(const Report& report, const std::string& file);
/// Writes the pages, and returns the index. Throws std::runtime_error.
std::string write_pages(const Report& report, const std::string& file, const RenderOptions& options);

}  // namespace oddsbound::cli
