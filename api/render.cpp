// Writes reports in their formats, and reads them back (api.h).
#include "api/api.h"
#include "api/specs.h"
#include "base/characters.h"
#include "reports/formats.h"
#include "reports/html/tune_page.h"
#include "reports/publishable.h"
#include "reports/text.h"

namespace oddsbound::api {

namespace {

std::string text_of(const Report& report, const RenderOptions& options) {
  switch (report.kind) {
    case Report::Kind::kSpecs: return text_verification(report, options);
    case Report::Kind::kLevels: return text_analysis(report, options);
    case Report::Kind::kStatistical:
    case Report::Kind::kExhaustive: break;
  }
  return text_audits(report);
}

}  // namespace

std::vector<std::string> formats_of_reports() {
  std::vector<std::string> names = format_names();
  names.insert(names.begin(), {"text", "json"});
  return names;
}

std::vector<std::string> formats_of_checks() {
  std::vector<std::string> names = format_names(true);
  names.insert(names.begin(), "text");
  return names;
}

std::optional<std::string> render(const Report& exact, std::string_view format, const RenderOptions& options) {
  if (format == "json") return to_json(exact);
  const Report report = options.exact ? exact : publishable(exact);
  if (format == "text") return printable_lines(text_of(report, options), options.color);
  const Format* found = find_format(format);
  if (found == nullptr) return std::nullopt;
  const Checks checks = checks_of(report, options.exit_status.value_or(report.exit_status()));
  return found->of_report(report, checks, options);
}

std::optional<std::string> render(const Checks& checks, std::string_view format, const RenderOptions&) {
  const Format* found = find_format(format);
  if (found == nullptr || !found->of_checks) return std::nullopt;
  return found->of_checks(checks);
}

std::optional<std::string> render(const TuneResult& exact, std::string_view format, const RenderOptions& options) {
  if (format == "json") return to_json(exact);
  const TuneResult result = options.exact ? exact : publishable(exact);
  if (format == "text") return printable_lines(text_tune(result));
  if (format == "html") return html_tune(result, options);
  return std::nullopt;
}

std::optional<std::string> render(const DesignComparison& exact, std::string_view format,
                                  const RenderOptions& options) {
  if (format == "json") return to_json(exact);
  const DesignComparison comparison = options.exact ? exact : publishable(exact);
  if (format == "text") return printable_lines(text_comparison(comparison));
  if (format == "html") return html_comparison(comparison, options);
  return std::nullopt;
}

std::optional<std::string> render(const EstimateResult& exact, std::string_view format, const RenderOptions& options) {
  if (format == "json") return to_json(exact);
  if (format == "text") return printable_lines(text_estimates(options.exact ? exact : publishable(exact)));
  return std::nullopt;
}

std::optional<std::string> render(const RunPlan& exact, std::string_view format, const RenderOptions& options) {
  if (format == "json") return to_json(std::vector{exact});
  if (format == "text") return printable_lines(text_run_plan(options.exact ? exact : publishable(exact)));
  return std::nullopt;
}

std::optional<std::string> render(const LeastSquaresResult& result, std::string_view format, const RenderOptions&) {
  if (format == "json") return to_json(result);
  if (format == "text") return printable_lines(text_least_squares(result));
  return std::nullopt;
}

std::optional<std::string> render(const SearchResult& result, std::string_view format, const RenderOptions&) {
  if (format == "json") return to_json(result);
  if (format == "text") return printable_lines(text_search(result));
  return std::nullopt;
}

std::optional<std::string> render(const SampleResult& result, std::string_view format, const RenderOptions&) {
  if (format == "json") return to_json(result);
  if (format == "text") return text_samples(result);
  return std::nullopt;
}

Expected<Report> read_report(const Text& json, const Context& context) {
  return as_expected(json.name, [&] {
    Budget budget(context.limits);
    return report_from_json(JsonDocument(json.name, json.text), budget);
  });
}

}  // namespace oddsbound::api
