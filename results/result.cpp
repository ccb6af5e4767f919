#include "results/result.h"

#include <algorithm>

namespace oddsbound {

FileError file_error(const SpecError& error) { return {error.place(), error.message(), error.hint(), error.what()}; }

FileError file_error(const std::string& file, const std::string& message) {
  return file_error(SpecError({file, 0, 0, ""}, message));
}

namespace {

template <typename Counts>
std::size_t count_claims(const RunResult& run, Counts counts) {
  std::size_t count = 0;
  for (const SpecResult& spec : run.specs) {
    for (const ClaimResult& claim : spec.claims) count += counts(claim) ? 1 : 0;
  }
  return count;
}

}  // namespace

std::size_t RunResult::claims() const {
  return count_claims(*this, [](const ClaimResult&) { return true; });
}

std::size_t RunResult::ok() const {
  return count_claims(*this, [](const ClaimResult& claim) { return claim.ok(); });
}

std::size_t RunResult::undecided() const {
  return count_claims(*this, [](const ClaimResult& claim) { return claim.undecided(); });
}

int RunResult::exit_status() const {
  if (!errors.empty()) return 2;
  if (failed() > 0) return 1;
  const bool open = std::any_of(specs.begin(), specs.end(), [](const SpecResult& spec) { return spec.left_open > 0; });
  return open || undecided() > 0 ? 3 : 0;
}

}  // namespace oddsbound
