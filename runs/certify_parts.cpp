#include "runs/certify_parts.h"

#include <algorithm>

#include "verifier/notions/output_ranges.h"
#include "verifier/ratios/factor_losses.h"

namespace oddsbound::runs {

namespace {

// One comparison of everything that a part sees, or of what differs in one of its coordinates.
std::optional<LargestQuotient> largest_of_part(const Factor& part, const Domain& domain,
                                               std::optional<std::size_t> coordinate, Budget& budget) {
  std::vector<std::size_t> group(part.coordinates.size());
  for (std::size_t k = 0; k < group.size(); ++k) group[k] = k;
  if (coordinate) {
    const auto place = std::find(part.coordinates.begin(), part.coordinates.end(), *coordinate);
    if (place == part.coordinates.end()) return std::nullopt;
    group = {static_cast<std::size_t>(place - part.coordinates.begin())};
  }
  const Model model{domain.restricted_to(part.coordinates), part.channel, {}};
  MeasuredModel subject(model, budget);
  Comparison comparison;
  comparison.pairs = LookedAt(model.domain).pairs_within(group);
  const std::vector<ComparedLevel> levels = compared_levels(subject, {comparison});
  std::optional<LargestQuotient> largest;
  for (const RangeMaximum& range : levels.at(0).ranges) {
    if (!range.largest) continue;
    if (!largest || compare_products(range.largest->p_from, largest->p_to, largest->p_from, range.largest->p_to) > 0) {
      largest = range.largest;
    }
  }
  return largest;
}

bool are_compared(const Domain& domain, const ComparedInputs& compared, std::uint64_t a, std::uint64_t b) {
  if (!compared.coordinate) return a != b;
  const std::size_t i = *compared.coordinate;
  const std::uint64_t from = domain.digit(a, i), to = domain.digit(b, i);
  return from != to && (compared.others_differ || a - from * domain.stride(i) == b - to * domain.stride(i));
}

// Null where the parts together may say more than is claimed.
std::optional<ByParts::About> bounded(const Model& model, std::optional<std::size_t> coordinate, const Level& claimed,
                                      Budget& budget) {
  ByParts::About about{coordinate ? model.domain.coordinate(*coordinate).name : "", {}};
  Number from(1), to(1);
  for (const Factor& part : model.channel->factors()) {
    const auto& largest = about.parts.emplace_back(largest_of_part(part, model.domain, coordinate, budget));
    if (!largest) continue;
    from *= largest->p_from;
    to *= largest->p_to;
  }
  if (!to.is_zero() && compare_products(from, Number(1), claimed.exponential(), to) <= 0) return about;
  if (!pairs_are_within(model, {coordinate}, claimed, budget)) return std::nullopt;
  return ByParts::About{about.coordinate, {}};
}

}  // namespace

bool pairs_are_within(const Model& model, const ComparedInputs& compared, const Level& level, Budget& budget) {
  constexpr double kMostPairs = 1 << 22;  // of inputs, for each part
  if (level.is_infinite()) return true;
  const double inputs = model.domain.input_count().approx(),
               parts = static_cast<double>(model.channel->factors().size());
  if (parts == 0 || level.surd() || inputs * inputs * parts > kMostPairs) return false;
  const std::uint64_t values = compared.coordinate ? model.domain.values(*compared.coordinate) : model.domain.inputs();
  if (values == 1) return true;  // nothing is compared
  MeasuredModel subject(model, budget);
  ratios::PairLosses losses(subject);
  const InputLevel largest = losses.largest([&](const ratios::PairLosses::Visit& visit) {
    for (std::uint64_t a = 0; a < model.domain.inputs(); ++a) {
      for (std::uint64_t b = 0; b < model.domain.inputs(); ++b) {
        if (are_compared(model.domain, compared, a, b)) visit(a, b);
      }
    }
  });
  return largest.level <= level;
}

std::optional<ByParts> certify_by_parts(const Claim& claim, const Model& model, Budget& budget) {
  if (model.channel->factors().empty()) return std::nullopt;
  ByParts proof;
  const auto add = [&](std::optional<std::size_t> coordinate, const Level& claimed) {
    if (claimed.is_infinite()) return true;
    auto about = bounded(model, coordinate, claimed, budget);
    if (!about) return false;
    proof.levels.push_back(*std::move(about));
    return true;
  };
  if (claim.notion->name == "ldp" || claim.notion->name == "bdp") {
    if (!add(std::nullopt, claim.arguments.get<Level>("epsilon"))) return std::nullopt;
    return proof;
  }
  if (claim.notion->name != "cdp") return std::nullopt;
  const auto& levels = claim.arguments.get<CoordinateLevels>("epsilon");
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i] && !add(i, *levels[i])) return std::nullopt;
  }
  return proof;
}

}  // namespace oddsbound::runs
