// How results become those of the public interface (oddsbound/oddsbound.h). Its types are in the namespace interface;
// internal types of the same names are named with their namespaces here.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "api/api.h"
#include "oddsbound/interface.h"

namespace oddsbound::interface {

struct Result::State {
  int exit_status = 0;
  std::function<std::optional<std::string>(std::string_view format, const RenderOptions& options)> render;
};

/// Returns a public result without its members. `render` is that of the internal result's namespace, or of api.
template <typename Public, typename Internal>
Public wrapped(Internal result, int exit_status = 0) {
  using api::render;
  auto write = [result = std::move(result)](std::string_view format, const RenderOptions& options) {
    return render(result, format, options);
  };
  return Public(std::make_shared<const Result::State>(Result::State{exit_status, std::move(write)}));
}

/// Returns the public form of a value, or the error.
template <typename Internal, typename Make>
auto mapped(Expected<Internal> value, Make make) -> Expected<std::invoke_result_t<Make, Internal>> {
  if (!value) return value.error();
  return make(*std::move(value));
}

Report public_report(reports::Report report);

}  // namespace oddsbound::interface
