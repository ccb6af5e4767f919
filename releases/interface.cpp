// The public functions of the module (oddsbound/releases.h).
#include "api/interface.h"
#include "oddsbound/releases.h"
#include "releases/api.h"

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
