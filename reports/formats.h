// The formats that reports and checks are written in, besides text and JSON: a file (or folder) each, and one line in
// the table of formats.cpp.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/check.h"

namespace oddsbound::reports {

struct FormatOptions {
  bool static_figures = false;  // HTML without scripts
  std::string folder{};         // that it is written to: links are relative to it
  std::string pages{};          // HTML: the folder of a page for each spec and audit, which this index links to
  std::string index{};          // HTML: the index that this page links back to
};

struct Format {
  std::string name;
  std::vector<std::string> extensions;  // of files that are written so
  /// What was found, as checks and (where the format can) with levels and figures.
  std::function<std::string(const Report&, const Checks&, const FormatOptions&)> of_report;
  /// Of checks that are no result of a spec; empty if the format needs results.
  std::function<std::string(const Checks&)> of_checks;
};

/// "html", "markdown", "sarif", "junit", "github"
std::span<const Format> formats();
/// The format of that name, or null.
const Format* find_format(std::string_view name);
/// Their names; for_checks: of those that can show checks alone.
std::vector<std::string> format_names(bool for_checks = false);

// The writers of the formats that are a file each.

/// SARIF 2.1.0 (OASIS): a result for every check that did not pass.
std::string sarif_report(const Checks& checks);
/// JUnit XML (the schema of Jenkins' xUnit plugin): a suite for every file, a case for every check.
std::string junit_report(const Checks& checks);
/// GitHub's workflow commands: an annotation for every check that did not pass.
std::string github_annotations(const Checks& checks);
/// For pull requests and job summaries.
std::string markdown_checks(const Checks& checks);
/// The same, and the levels of every spec.
std::string markdown_report(const Report& report, const Checks& checks, const FormatOptions& options);

}  // namespace oddsbound::reports
