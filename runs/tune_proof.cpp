#include "runs/tune_proof.h"

#include <algorithm>

#include "runs/tune_range.h"
#include "verifier/smt/everywhere.h"

namespace oddsbound::runs {

namespace {

// A violation is looked for close to the inner end: one that is there yet has the best chance to be everywhere.
bool some_claim_fails(const Spec& spec, bool inner_is_upper, std::span<const std::size_t> claims, const SmtOptions& smt,
                      Budget& budget) {
  const Symbol& symbol = spec.symbols->symbols()[0];
  const Number step = (*symbol.high - *symbol.low) * Number::ratio(1, 1 << 20);
  const Number at = inner_is_upper ? *symbol.high - step : *symbol.low + step;
  const LookedAt inputs(spec.model.domain);
  return std::any_of(claims.begin(), claims.end(), [&](std::size_t index) {
    const Claim& claim = spec.claims[index];
    const auto define = [&] { return claim.notion->define(spec.model, claim.arguments, inputs); };
    return claim.notion->defines(claim.arguments) &&
           violated_everywhere(spec.model, define, *spec.symbols, at, smt, budget);
  });
}

std::optional<TuneRange> proven_with(const VariedSpec& spec, const TuneRange& range, bool inner_is_upper,
                                     std::span<const std::size_t> claims, bool logarithm, const SmtOptions& smt,
                                     Budget& budget) {
  // More than was asked for does no harm at the outer end.
  const Outward outward = inner_is_upper ? Outward::kLow : Outward::kHigh;
  const auto bounds = symbol_over(range, logarithm, outward);
  if (!bounds || (logarithm && spec.symbol() != nullptr)) return std::nullopt;
  try {
    if (!some_claim_fails(spec.over(*bounds, logarithm, budget), inner_is_upper, claims, smt, budget))
      return std::nullopt;
  } catch (const std::runtime_error&) {
    return std::nullopt;  // it cannot be a symbol, or a limit was reached
  }
  TuneRange proven = range;
  TunedValue& inner = inner_is_upper ? proven.to : proven.from;
  inner = value_of(inner_is_upper ? *bounds->high : *bounds->low, logarithm);
  return proven;
}

}  // namespace

std::optional<TuneRange> failing_range(const VariedSpec& spec, const TuneRange& range, bool inner_is_upper,
                                       std::span<const std::size_t> claims, const SmtOptions& smt, Budget& budget) {
  const auto proven = proven_with(spec, range, inner_is_upper, claims, false, smt, budget);
  return proven ? proven : proven_with(spec, range, inner_is_upper, claims, true, smt, budget);
}

}  // namespace oddsbound::runs
