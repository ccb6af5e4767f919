// The level of an attribute of a network with n attributes is the logarithm of a quotient of polynomials in e of degree
// about n. Its text has about 20 n^2 characters. A claim is decided by comparing the quotients, and needs no text.
#include "verifier/notions/enclosed_levels.h"

#include "verifier/exact/decimal.h"
#include "verifier/notions/analysis.h"
#include "verifier/notions/divergences.h"

namespace oddsbound::notions {

namespace {

// Returns false if the level is short.
bool enclose(MeasuredLevel& level) {
  const std::size_t size = written_size(level.at_least);
  if (level.unfinished || level.at_least.is_infinite() || size == 0) return false;
  const DecimalBounds bounds = decimal_bounds(level.at_least);
  MeasuredLevel enclosed{rounded_level(bounds.lower), {}};
  enclosed.unfinished =
      Unfinished{rounded_level(bounds.upper), "the exact level has about " + std::to_string(size) +
                                                  " characters, and all levels together are too long to write"};
  enclosed.way = level.way;
  level = std::move(enclosed);
  return true;
}

}  // namespace

std::optional<Decision> with_enclosed_levels(const Decision& decision, const Claimed& claimed) {
  Decision shorter = decision;
  bool any = false;
  if (auto* level = std::get_if<MeasuredLevel>(&shorter.actual)) any = enclose(*level);
  if (auto* levels = std::get_if<NamedLevels>(&shorter.actual)) {
    for (auto& [coordinate, level] : *levels) any |= enclose(level);
  }
  if (!any) return std::nullopt;
  if (shorter.slack) enclose(shorter.slack->level);
  const auto standing = standing_of(claimed, shorter.actual);
  if (!standing || standing->holds != decision.holds || standing->tight != decision.tight) return std::nullopt;
  return shorter;
}

}  // namespace oddsbound::notions
