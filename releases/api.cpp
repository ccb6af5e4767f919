#include "releases/api.h"

#include "api/specs.h"
#include "base/characters.h"
#include "releases/page.h"
#include "releases/run.h"

namespace oddsbound::api {

Expected<ReleaseResult> release(const File& file, const ReleaseRequest& request, const Context& context) {
  return as_expected(file.path, [&] {
    Budget budget(context.limits);
    return releases::run_release(file.path, request, budget);
  });
}

Expected<std::string> release_spec(const File& file, std::size_t records, std::optional<std::uint64_t> window,
                                   const std::string& folder, const Context& context) {
  return as_expected(file.path, [&] {
    Budget budget(context.limits);
    return releases::release_spec(file.path, records, window, folder, budget);
  });
}

Expected<std::string> release_spec_of_tables(const File& file, const std::vector<std::string>& tables,
                                             const std::string& folder, const Context& context) {
  return as_expected(file.path, [&] {
    Budget budget(context.limits);
    return releases::release_spec_of_tables(file.path, tables, folder, budget);
  });
}

Expected<ReleaseResult> read_release_result(const Text& json, const Context& context) {
  return as_expected(json.name, [&] {
    Budget budget(context.limits);
    return release_from_json(JsonDocument(json.name, json.text), budget);
  });
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
