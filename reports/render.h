// One result in every format but text and JSON, which their results write themselves.
#pragma once

#include <optional>
#include <string>

#include "reports/check.h"

namespace oddsbound {

/// "html", "markdown", "sarif", "junit", "github"
extern const std::vector<std::string> kReportFormats;

struct RenderOptions {
  bool static_figures = false;  // HTML without scripts
};

/// The report of results that have been read, in one of kReportFormats.
std::string render(const Report& report, int exit_status, const std::string& format, const RenderOptions& options);

/// Of checks that are no result of a spec, in one of these but HTML.
std::string render_checks(const Checks& checks, const std::string& format);

/// The same from the text of a JSON document that was just made.
Report report_of(const std::string& json);

}  // namespace oddsbound
