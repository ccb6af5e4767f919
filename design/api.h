// Designs and repairs as functions that throw nothing (api/api.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/api.h"
#include "design/result.h"

namespace oddsbound::api {

inline const Words<RepairBy> kRepairs{
    {"rows", RepairBy::kRows}, {"entries", RepairBy::kEntries}, {"mixture", RepairBy::kMixture}};

/// Finds the mechanism with minimum loss under the constraints of a request, and a proof that none has less
/// (docs/design.md). folder: the location of its spec.
Expected<DesignResult> design(const File& file, const std::string& folder = ".", const Context& context = {});

/// Repairs the mechanism of a spec so that its claims hold (docs/design.md). folder: the location of its spec.
Expected<RepairResult> repair(const File& file, const RepairOptions& options = {}, const std::string& folder = ".",
                              const Context& context = {});

}  // namespace oddsbound::api

namespace oddsbound::designs {

/// Writes a design or a repaired mechanism as "text", "json" (its spec) or "html".
std::optional<std::string> render(const DesignResult& result, std::string_view format,
                                  const RenderOptions& options = {});
std::optional<std::string> render(const RepairResult& result, std::string_view format,
                                  const RenderOptions& options = {});

}  // namespace oddsbound::designs
