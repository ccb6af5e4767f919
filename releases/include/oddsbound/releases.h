// Releases of tables: part of oddsbound/oddsbound.h where the module is built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "oddsbound/interface.h"

namespace oddsbound {

/// release
struct ReleaseRequest {
  std::optional<std::string> table{};   // a CSV file with one row per person; nullopt: ledger only
  std::optional<std::uint64_t> seed{};  // nullopt: the system's randomness; only that is private
  /// A file of earlier costs for the same people. It counts towards the budget, and this release's cost is added
  /// to it before anything is published. Created if missing.
  std::optional<std::string> spent{};
  /// Without a table: also the errors to expect, from `people` people, and the number of people that an error takes.
  bool plan = false;
  std::optional<std::uint64_t> people{};
  std::string error{};  // a fraction of the people, such as "1/20"; empty: not asked
};

}  // namespace oddsbound

namespace oddsbound::interface {

/// Formats: "text", "json", "csv" (the numbers alone), "html".
class ReleaseResult : public Result {
 public:
  using Result::Result;
};

/// Runs a release from a table of people, with its cost per attribute (docs/releases.md). If the budget is exceeded,
/// no table is read.
Expected<ReleaseResult> release(const File& file, const ReleaseRequest& request = {}, const Context& context = {});
/// Returns a spec of the release's own code on all tables of `records` records, with its costs as claims. window: of
/// all steps, instead of their own. folder: the location of the spec.
Expected<std::string> release_spec(const File& file, std::size_t records, std::optional<std::uint64_t> window = {},
                                   const std::string& folder = ".", const Context& context = {});
/// Returns a spec for audits: from which of two tables, which differ in one record, does a release come? Its cost is
/// the claim. folder: the location of the spec.
Expected<std::string> release_spec_of_tables(const File& file, const std::vector<std::string>& tables,
                                             const std::string& folder = ".", const Context& context = {});

/// A release's result back from its JSON.
Expected<ReleaseResult> read_release_result(const Text& json, const Context& context = {});
/// The same for any result from which reports are made.
Expected<Result> read_result(const Text& json, const Context& context = {});

}  // namespace oddsbound::interface
