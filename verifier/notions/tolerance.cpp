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

MeasuredLevel measured(const MeasuredModel& subject, const SetLevel& found, const std::vector<Label>& labels,
                       const std::string& coordinate) {
  MeasuredLevel level{found.level(), {}};
  level.unfinished = found.unfinished;
  if (found.nodes) level.way = Way::kSearch;
  level.nodes = found.nodes;
  if (!found.exact && found.output && !found.member.attains) {
    if (!found.unfinished) {
      level.unfinished = Unfinished{level.at_least, "the sample allows a level of this size, and none above it"};
    }
    level.at_least = std::max(Level(), Level::of_exponential(found.p_from / found.p_to));
  }
  if (!found.output) {
    level.witness.update([&](Witness& witness) { witness.coordinate = coordinate; });
    return level;
  }
  auto prior = std::make_shared<MemberPrior>();
  const auto named = [&](const priors::NumberedRows& rows) {
    decltype(prior->rows) result;
    for (const auto& [input, mass] : rows) result.emplace_back(subject.domain().tuple(input), mass);
    return result;
  };
  prior->rows = named(found.member.rows);
  prior->attains = found.member.attains;
  for (const priors::NumberedRows& end : found.member.line) prior->line.push_back(named(end));
  level.witness = Witness{{subject.channel().label_of(*found.output)},
                          labels[found.from],
                          labels[found.to],
                          found.p_from,
                          found.p_to,
                          coordinate,
                          {},
                          std::move(prior)};
  return level;
}

LabelledInputs by_input(const Domain& domain) { return {Partition::by_input(domain).members(), std::nullopt}; }

std::vector<Label> inputs_of(const Domain& domain) {
  std::vector<Label> labels;
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) labels.emplace_back(domain.tuple(x));
  return labels;
}

bool is_quick(const MeasuredModel& subject) {
  return subject.can_enumerate() &&
         subject.channel().outputs() <= priors::kQuickCells / subject.channel().input_numbers();
}

// Searches over outputs if a pass takes long and the set and the channel allow it; otherwise makes a pass.
// coordinate: the one whose values the labels are, if they are.
SetLevel level_by_rows(MeasuredModel& subject, const priors::PriorSet& set, const Partition& labels,
                       std::optional<std::size_t> coordinate, const AllowedPairs& direction, std::size_t at_once,
                       double seconds) {
  if (!is_quick(subject)) {
    try {
      const SearchLimits search_limits{seconds, subject.budget().limits().stop};
      Budget unstopped(subject.budget(), Budget::kUnstopped);
      return search_product(subject.model(), set, labels, direction, at_once, unstopped, search_limits);
    } catch (const LimitError&) {
      if (!subject.can_enumerate()) throw;
    }
  }
  return level_over(subject, set, {labels.members(), coordinate}, direction, at_once);
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
  return measured(subject, level_by_rows(subject, set, labels, coordinate, direction, at_once, seconds), values,
                  domain.coordinate(coordinate).name);
}

MeasuredLevel input_level_over(MeasuredModel& subject, const priors::PriorSet& set) {
  const SetLevel found = level_over(subject, set, by_input(subject.domain()), {});
  return measured(subject, found, inputs_of(subject.domain()), "");
}

MeasuredLevel label_level_over(MeasuredModel& subject, const priors::PriorSet& set, const Arguments& arguments) {
  const Secret& secret = arguments.get<Secret>("secret");
  const AllowedPairs direction = direction_of(Scope(arguments), secret.labels);
  const double seconds = seconds_to_search(subject.budget());
  return measured(subject, level_by_rows(subject, set, secret.inputs, std::nullopt, direction, 1, seconds),
                  secret.labels, "");
}

std::vector<OverSet> compared_over_set(const Domain& domain, const Arguments& arguments) {
  std::vector<OverSet> all;
  const Scope scope(arguments);
  if (const auto* levels = arguments.find_if<CoordinateLevels>("epsilon")) {
    for (const std::size_t i : claimed_coordinates(arguments)) {
      std::vector<Label> values = parties_of(domain, i);
      const AllowedPairs direction = direction_of(scope, values);
      all.push_back({domain.coordinate(i).name, by_value(domain, i), std::move(values), direction, *(*levels)[i]});
    }
    return all;
  }
  const Level& level = arguments.get<Level>("epsilon");
  if (const auto* secret = arguments.find_if<Secret>("secret")) {
    const LabelledInputs inputs = {secret->inputs.members(), std::nullopt};
    return {{"", inputs, secret->labels, direction_of(scope, secret->labels), level}};
  }
  return {{"", by_input(domain), inputs_of(domain), {}, level}};
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
