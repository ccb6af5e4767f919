#include "design/api.h"

#include "api/specs.h"
#include "base/characters.h"
#include "design/page.h"
#include "design/repair.h"
#include "design/run.h"

namespace oddsbound::api {

Expected<DesignResult> design(const File& file, const std::string& folder, const Context& context) {
  return as_expected(file.path, [&] {
    Budget budget(context.limits);
    return designs::run_design(file.path, folder, budget);
  });
}

Expected<RepairResult> repair(const File& file, const RepairOptions& options, const std::string& folder,
                              const Context& context) {
  return as_expected(file.path, [&] {
    Budget budget(context.limits);
    return designs::run_repair(file.path, options, folder, budget);
  });
}

}  // namespace oddsbound::api

namespace oddsbound::designs {

std::optional<std::string> render(const DesignResult& exact, std::string_view format, const RenderOptions& options) {
  if (format == "json") return exact.spec;
  const DesignResult result = options.exact ? exact : publishable(exact);
  if (format == "text") return printable_lines(text_design(result));
  if (format == "html") return html_design(result, options);
  return std::nullopt;
}

std::optional<std::string> render(const RepairResult& exact, std::string_view format, const RenderOptions& options) {
  if (format == "json") return exact.spec;
  const RepairResult result = options.exact ? exact : publishable(exact);
  if (format == "text") return printable_lines(text_repair(result));
  if (format == "html") return html_repair(result, options);
  return std::nullopt;
}

}  // namespace oddsbound::designs
