#include "reports/render.h"

#include <stdexcept>

#include "reports/html/page.h"

namespace oddsbound {

const std::vector<std::string> kReportFormats = {"html", "markdown", "sarif", "junit", "github"};

std::string render(const Report& report, int exit_status, const std::string& format, const RenderOptions& options) {
  const Checks checks = checks_of(report, exit_status);
  if (format == "html") return html_report(report, checks, !options.static_figures);
  if (format == "markdown") return markdown_report(report, checks);
  return render_checks(checks, format);
}

std::string render_checks(const Checks& checks, const std::string& format) {
  if (format == "markdown") return markdown_checks(checks);
  if (format == "sarif") return sarif_report(checks);
  if (format == "junit") return junit_report(checks);
  if (format == "github") return github_annotations(checks);
  throw std::logic_error("unknown format " + format);
}

Report report_of(const std::string& json) {
  const JsonDocument document("the result", json);
  Limits limits;
  limits.max_seconds = 1e9;
  Budget budget(limits);
  Report report;
  read_results(document, budget, report);
  return report;
}

}  // namespace oddsbound
