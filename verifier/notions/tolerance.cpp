#include "verifier/notions/tolerance.h"

#include "base/errors.h"
#include "verifier/notions/over_set.h"
#include "verifier/sets/kinds.h"

namespace oddsbound::notions {

namespace {

constexpr std::int64_t kParts = 10'000;
constexpr std::int64_t kMostFactor = 1'000, kMostDrawnFactor = 10;
constexpr std::int64_t kSteps = 12;  // of a curve

std::int64_t first_of(Growing set) { return set == Growing::kWeights ? kParts : 0; }
std::int64_t last_of(Growing set) { return set == Growing::kWeights ? kParts * kMostFactor : kParts; }

PriorSetPtr set_of(const MeasuredModel& subject, Growing set, const Number& size) {
  switch (set) {
    case Growing::kWeights: return reweighted(subject.prior(), size);
    case Growing::kContaminated: return contaminated(subject.prior(), size, Support::kDomain);
    case Growing::kTotalVariation: return total_variation_ball(subject.prior(), size);
    case Growing::kCorrelation: break;
  }
  const std::size_t coordinates = subject.domain().size();
  return correlation_at_most(subject.domain(), std::vector<std::optional<Number>>(coordinates, size));
}

std::vector<Tolerance::Within::LevelAt> curve(MeasuredModel& subject, std::size_t coordinate, Growing set,
                                              std::int64_t last) {
  std::vector<Tolerance::Within::LevelAt> levels;
  const std::int64_t first = first_of(set);
  std::int64_t before = -1;
  for (std::int64_t step = 0; step <= kSteps; ++step) {
    const std::int64_t parts = first + (last - first) * step / kSteps;
    if (parts == before) continue;
    before = parts;
    const Number size = Number::ratio(parts, kParts);
    const MeasuredLevel level = value_level_over(subject, *set_of(subject, set, size), coordinate);
    levels.push_back({size, level.at_least, std::nullopt});
    if (level.unfinished) levels.back().at_most = level.unfinished->at_most;
  }
  return levels;
}

}  // namespace

Tolerance tolerance_of(MeasuredModel& subject, std::size_t coordinate, const Level& claimed) {
  Tolerance tolerance{subject.domain().coordinate(coordinate).name, claimed, {}};
  const auto holds = [&](Growing set, std::int64_t size) {
    const PriorSetPtr priors = set_of(subject, set, Number::ratio(size, kParts));
    const MeasuredLevel level = value_level_over(subject, *priors, coordinate);
    if (level.at_most() <= claimed) return true;
    if (level.at_least > claimed) return false;
    throw LimitError(level.unfinished->reason);
  };
  for (const Growing set :
       {Growing::kWeights, Growing::kContaminated, Growing::kTotalVariation, Growing::kCorrelation}) {
    std::int64_t low = first_of(set), high = last_of(set);
    if (!holds(set, low)) continue;
    Tolerance::Within within{set, Number::ratio(high, kParts), std::nullopt, {}};
    std::int64_t drawn = set == Growing::kWeights ? kMostDrawnFactor * kParts : high;
    if (!holds(set, high)) {
      // Twice as far each time, since most claims fail near the first one.
      std::int64_t step = 1;
      while (low + step < high && holds(set, low + step)) low += step, step *= 2;
      high = std::min(high, low + step);
      while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (holds(set, middle) ? low : high) = middle;
      }
      within.holds = Number::ratio(low, kParts);
      within.fails = Number::ratio(high, kParts);
      drawn = std::min(last_of(set), 2 * high - first_of(set));
    }
    within.levels = curve(subject, coordinate, set, drawn);
    tolerance.within.push_back(within);
  }
  return tolerance;
}

}  // namespace oddsbound::notions
