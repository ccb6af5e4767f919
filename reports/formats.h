// The formats of reports and checks besides text and JSON. A format is one file (or folder) and one line in the table
// of formats.cpp.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oddsbound/options.h"
#include "reports/check.h"

namespace oddsbound::reports {

struct Format {
  std::string name;
  std::vector<std::string> extensions;  // file extensions
  /// Writes a report as checks and, if the format supports it, with levels and figures.
  std::function<std::string(const Report&, const Checks&, const RenderOptions&)> of_report;
  /// Writes checks without results of specs; empty if the format needs results.
  std::function<std::string(const Checks&)> of_checks;
};

/// "html", "markdown", "sarif", "junit", "github", "registry"
std::span<const Format> formats();
/// Returns the format with this name, or nullptr.
const Format* find_format(std::string_view name);
/// Returns the names. for_checks: only formats that can show checks alone.
std::vector<std::string> format_names(bool for_checks = false);

// Writers of the formats that are one file each

/// SARIF 2.1.0 (OASIS): one result per check that did not pass.
std::string sarif_report(const Checks& checks);
/// JUnit XML (the schema of Jenkins' xUnit plugin): one suite per file, one case per check.
std::string junit_report(const Checks& checks);
/// GitHub workflow commands: one annotation per check that did not pass.
std::string github_annotations(const Checks& checks);
/// YAML for the Differential Privacy Deployments Registry: one draft of a record per spec.
std::string registry_report(const Report& report, const Checks& checks, const RenderOptions& options);
/// For pull requests and job summaries.
std::string markdown_checks(const Checks& checks);
/// The same, with the levels of every spec.
std::string markdown_report(const Report& report, const Checks& checks, const RenderOptions& options);

}  // namespace oddsbound::reports
