#include "reports/formats.h"

#include "reports/html/page.h"

namespace oddsbound::reports {

namespace {

// A format that shows only the checks of a report.
Format of_checks_alone(std::string name, std::vector<std::string> extensions, std::string (*write)(const Checks&)) {
  return {std::move(name), std::move(extensions),
          [write](const Report&, const Checks& checks, const RenderOptions&) { return write(checks); }, write};
}

}  // namespace

std::span<const Format> formats() {
  static const std::vector<Format> table = {
      {"html", {".html", ".htm"}, html_report, {}},       {"markdown", {".md"}, markdown_report, markdown_checks},
      of_checks_alone("sarif", {".sarif"}, sarif_report), of_checks_alone("junit", {".xml"}, junit_report),
      of_checks_alone("github", {}, github_annotations),
  };
  return table;
}

const Format* find_format(std::string_view name) {
  for (const Format& format : formats()) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

std::vector<std::string> format_names(bool for_checks) {
  std::vector<std::string> names;
  for (const Format& format : formats()) {
    if (!for_checks || format.of_checks) names.push_back(format.name);
  }
  return names;
}

}  // namespace oddsbound::reports
