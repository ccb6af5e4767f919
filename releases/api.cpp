#include "releases/api.h"

#include "api/interface.h"
#include "base/characters.h"
#include "oddsbound/releases.h"
#include "releases/page.h"
#include "releases/run.h"

namespace oddsbound::api {

Expected<ReleaseResult> release(const File& file, const ReleaseRequest& request, const Context& context) {
  return within(context.limits, file.path,
                [&](Budget& budget) { return releases::run_release(file.path, request, budget); });
}

Expected<std::string> release_spec(const File& file, std::size_t records, std::optional<std::uint64_t> window,
                                   const std::string& folder, const Context& context) {
  return within(context.limits, file.path,
                [&](Budget& budget) { return releases::release_spec(file.path, records, window, folder, budget); });
}

Expected<std::string> release_spec_of_tables(const File& file, const std::vector<std::string>& tables,
                                             const std::string& folder, const Context& context) {
  return within(context.limits, file.path,
                [&](Budget& budget) { return releases::release_spec_of_tables(file.path, tables, folder, budget); });
}

Expected<ReleaseResult> read_release_result(const Text& json, const Context& context) {
  return within(context.limits, json.name,
                [&](Budget& budget) { return release_from_json(JsonDocument(json.name, json.text), budget); });
}

Expected<AnyResult> read_result(const Text& json, const Context& context) {
  return as_expected(json.name, [&]() -> AnyResult {
    Budget budget(context.limits);
    const JsonDocument document(json.name, json.text);
    if (is_release(document)) return release_from_json(document, budget);
    return report_from_json(document, budget);
  });
}

}  // namespace oddsbound::api

namespace oddsbound::releases {

std::optional<std::string> render(const ReleaseResult& result, std::string_view format, const RenderOptions& options) {
  if (format == "text") return printable_lines(text_release(result));
  if (format == "json") return to_json(result);
  if (format == "csv") return csv_release(result);
  if (format == "html") return html_release(result, options);
  return std::nullopt;
}

}  // namespace oddsbound::releases

// The public functions of the module (oddsbound/releases.h).

namespace oddsbound::interface {

namespace {

ReleaseResult public_release(releases::ReleaseResult released) {
  const int exit_status = released.exit_status();
  return wrapped<ReleaseResult>(std::move(released), exit_status);
}

}  // namespace

Expected<ReleaseResult> release(const File& file, const ReleaseRequest& request, const Context& context) {
  return mapped(api::release(file, request, context), public_release);
}

Expected<std::string> release_spec(const File& file, std::size_t records, std::optional<std::uint64_t> window,
                                   const std::string& folder, const Context& context) {
  return api::release_spec(file, records, window, folder, context);
}

Expected<std::string> release_spec_of_tables(const File& file, const std::vector<std::string>& tables,
                                             const std::string& folder, const Context& context) {
  return api::release_spec_of_tables(file, tables, folder, context);
}

Expected<ReleaseResult> read_release_result(const Text& json, const Context& context) {
  return mapped(api::read_release_result(json, context), public_release);
}

Expected<Result> read_result(const Text& json, const Context& context) {
  return mapped(api::read_result(json, context), [](api::AnyResult read) -> Result {
    if (auto* released = std::get_if<releases::ReleaseResult>(&read)) return public_release(std::move(*released));
    return public_report(std::get<reports::Report>(std::move(read)));
  });
}

}  // namespace oddsbound::interface
