#include "verifier/notions/tolerance.h"

#include <numeric>

#include "base/errors.h"
#include "verifier/notions/notion.h"
#include "verifier/priors/prior_set.h"
#include "verifier/priors/product_search.h"
#include "verifier/priors/set_level.h"

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
      // Double the step each time: most claims fail near the first size.
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

namespace {

bool is_quick(const MeasuredModel& subject) {
  return subject.can_enumerate() &&
         subject.channel().outputs() <= priors::kQuickCells / subject.channel().input_numbers();
}

// A search evaluates every output of every part at least once, with all named inputs, and then bounds nodes. So it pays
// for many small parts. It does not pay for a few parts with many outputs each, where its root alone has as many
// children as a pass has columns. A row of a node costs 20 to 60 times an entry of a pass (bench/growth.py, "sets").
bool pass_is_cheaper(MeasuredModel& subject, const priors::PriorSet& set, const Partition& labels) {
  constexpr double kEntriesPerRow = 32;
  if (is_quick(subject)) return true;
  if (!subject.can_enumerate()) return false;
  const auto named = set.named_inputs(subject.budget());
  if (!named) return true;  // there is no search
  const Channel& channel = subject.channel();
  double outputs = channel.factors().empty() ? static_cast<double>(channel.outputs()) : 0;
  for (const Factor& part : channel.factors()) outputs += static_cast<double>(part.channel->outputs());
  const auto rows = static_cast<double>(named->rows.size() + (named->others ? 2 * labels.size() : 0));
  return kEntriesPerRow * outputs * rows >=
         static_cast<double>(channel.outputs()) * static_cast<double>(channel.input_numbers());
}

// Searches over outputs if a pass takes longer and the set and the channel allow it; otherwise makes a pass.
GroupLevel level_by_rows(MeasuredModel& subject, const priors::PriorSet& set, const Partition& labels,
                         const AllowedPairs& direction, std::size_t at_once, double seconds) {
  if (!pass_is_cheaper(subject, set, labels)) {
    try {
      const SearchLimits search_limits{seconds, subject.budget().limits().stop};
      Budget unstopped(subject.budget(), Budget::kUnstopped);
      return search_product(subject.model(), set, labels, direction, at_once, unstopped, search_limits);
    } catch (const LimitError&) {
      if (!subject.can_enumerate()) throw;
    }
  }
  return level_over(subject, set, labels, direction, at_once);
}

}  // namespace

Field field_for_all() { return {kForAll, FieldKind::kPriorSet, false}; }

MeasuredLevel value_level_over(MeasuredModel& subject, const priors::PriorSet& set, std::size_t coordinate,
                               const Scope& scope, std::size_t at_once, std::size_t to_come) {
  const Domain& domain = subject.domain();
  const std::vector<Label> values = parties_of(domain, coordinate);
  const Partition labels = Partition::by_value(domain, coordinate);
  const double seconds = seconds_to_search(subject.budget()) / static_cast<double>(1 + to_come);
  const AllowedPairs direction = direction_of(scope, values);
  const GroupLevel level = level_by_rows(subject, set, labels, direction, at_once, seconds);
  return measured(subject.model(), level, values[level.from], values[level.to], domain.coordinate(coordinate).name);
}

MeasuredLevel input_level_over(MeasuredModel& subject, const priors::PriorSet& set) {
  const Domain& domain = subject.domain();
  const GroupLevel level = level_over(subject, set, Partition::by_input(domain), {});
  return measured(subject.model(), level, domain.tuple(level.from), domain.tuple(level.to), "");
}

MeasuredLevel label_level_over(MeasuredModel& subject, const priors::PriorSet& set, const Arguments& arguments) {
  const Secret& secret = arguments.get<Secret>("secret");
  const AllowedPairs direction = direction_of(Scope(arguments), secret.labels);
  const double seconds = seconds_to_search(subject.budget());
  const GroupLevel level = level_by_rows(subject, set, secret.inputs, direction, 1, seconds);
  return measured(subject.model(), level, secret.labels[level.from], secret.labels[level.to], "");
}

std::vector<OverSet> compared_over_set(const Domain& domain, const Arguments& arguments) {
  std::vector<OverSet> all;
  const Scope scope(arguments);
  if (const auto* levels = arguments.find_if<CoordinateLevels>("epsilon")) {
    for (const std::size_t i : claimed_coordinates(arguments)) {
      std::vector<Label> values = parties_of(domain, i);
      const AllowedPairs direction = direction_of(scope, values);
      all.push_back(
          {domain.coordinate(i).name, Partition::by_value(domain, i), std::move(values), direction, *(*levels)[i]});
    }
    return all;
  }
  const Level& level = arguments.get<Level>("epsilon");
  if (const auto* secret = arguments.find_if<Secret>("secret")) {
    return {{"", secret->inputs, secret->labels, direction_of(scope, secret->labels), level}};
  }
  std::vector<Label> inputs;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) inputs.emplace_back(domain.tuple(x));
  return {{"", Partition::by_input(domain), std::move(inputs), {}, level}};
}

std::optional<std::pair<std::string, std::string>> complaint_about_set(const Domain& domain,
                                                                       const Arguments& arguments) {
  const bool by_coordinate = arguments.find_if<CoordinateLevels>("epsilon") != nullptr;
  if (by_coordinate || arguments.has("secret")) {
    if (const auto complaint = complaint_about_scope(domain, arguments)) return complaint;
  }
  const auto* for_all = arguments.find_if<ForAll>(kForAll);
  if (for_all == nullptr) return std::nullopt;
  if (arguments.has("known")) {
    return std::pair("known", "what is known is part of a prior, and the claim is over a set of priors");
  }
  std::vector<std::optional<std::size_t>> about;
  if (!by_coordinate) {
    about.emplace_back();
  } else {
    for (const std::size_t i : claimed_coordinates(arguments)) about.emplace_back(i);
  }
  for (const auto i : about) {
    if (std::string complaint = for_all->set->complaint(domain, i); !complaint.empty()) {
      return std::pair(kForAll, std::move(complaint));
    }
  }
  return std::nullopt;
}

}  // namespace oddsbound::notions
