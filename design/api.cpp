#include "design/api.h"

#include "api/interface.h"
#include "base/characters.h"
#include "design/page.h"
#include "design/repair.h"
#include "design/run.h"
#include "oddsbound/design.h"

namespace oddsbound::api {

Expected<DesignResult> design(const File& file, const std::string& folder, const Context& context) {
  return within(context.limits, file.path,
                [&](Budget& budget) { return designs::run_design(file.path, folder, budget); });
}

Expected<RepairResult> repair(const File& file, const RepairOptions& options, const std::string& folder,
                              const Context& context) {
  return within(context.limits, file.path,
                [&](Budget& budget) { return designs::run_repair(file.path, options, folder, budget); });
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

// The public functions of the module (oddsbound/design.h).

namespace oddsbound::interface {

Expected<DesignResult> design(const File& file, const std::string& folder, const Context& context) {
  return mapped(api::design(file, folder, context), [](const designs::DesignResult& made) {
    auto result = wrapped<DesignResult>(made);
    result.spec = made.spec;
    result.certificate = made.certificate;
    result.loss = made.loss;
    result.at_least = made.at_least;
    result.conflict = made.conflict;
    return result;
  });
}

Expected<RepairResult> repair(const File& file, const RepairOptions& options, const std::string& folder,
                              const Context& context) {
  return mapped(api::repair(file, options, folder, context), [](const designs::RepairResult& repaired) {
    auto result = wrapped<RepairResult>(repaired);
    result.spec = repaired.spec;
    result.entries = repaired.entries;
    result.rows = repaired.rows;
    result.notes = repaired.notes;
    return result;
  });
}

}  // namespace oddsbound::interface
