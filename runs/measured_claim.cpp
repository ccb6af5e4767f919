#include "runs/measured_claim.h"

#include "verifier/exact/decimal.h"
#include "verifier/exact/expression.h"
#include "verifier/exact/rounding.h"

namespace oddsbound::runs {

namespace {

// Both roundings go up: that of the level to a decimal, and that to fewer digits.
std::string rounded_up_text(const Level& level) {
  constexpr std::size_t kDigitsKept = 4;
  const Number scale(10'000);
  const Number scaled = -floor_of(-(parse_number(decimal_bounds(level).upper) * scale));
  const Number whole = floor_of(scaled / scale);
  std::string rest = (scaled - whole * scale).to_string();
  rest.insert(0, kDigitsKept - rest.size(), '0');
  rest.erase(rest.find_last_not_of('0') + 1);
  return whole.to_string() + (rest.empty() ? "" : "." + rest);
}

}  // namespace

MeasuredClaim claim_of(const MeasuredLevel& level) {
  // Characters. A bound at which a search was stopped has no meaning that its digits could show.
  const std::size_t short_text = level.unfinished ? 8 : 32;
  const Level& at_most = level.at_most();
  if (at_most.is_infinite()) return {"inf", false};
  const std::string exact = at_most.root_text();
  if (exact.size() <= short_text) return {exact, !level.unfinished};
  return {rounded_up_text(at_most), false};
}

}  // namespace oddsbound::runs
