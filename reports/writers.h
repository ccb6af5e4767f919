// The writers of the formats that are a file each.
#pragma once

#include <string>

#include "reports/formats.h"

namespace oddsbound::reports {

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
