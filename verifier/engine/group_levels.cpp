#include "verifier/engine/group_levels.h"

#include <algorithm>
#include <functional>
#include <sstream>

#include "base/errors.h"
#include "verifier/engine/decompose.h"
#include "verifier/engine/group_search.h"
#include "verifier/engine/input_levels.h"
#include "verifier/engine/network_search.h"
#include "verifier/engine/output_search.h"
#include "verifier/exact/threads.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::engine {

namespace {

struct Strategy {
  bool columns = false;          // a pass over the columns is possible
  std::uint64_t most_nodes = 0;  // limit of the search by rows, which comes first; 0: no search
  bool network = false;          // try the prior's network first
};

// Costs: a pass takes inputs x outputs, a search node the square of the rows that occur. If a pass costs at least
// 64 nodes, a search comes first, limited to the cost of a pass; most searches end within 64 nodes.
constexpr std::uint64_t kWorthSearching = 64;

// A pass over fewer cells takes milliseconds; the messages of a network may take longer.
constexpr std::uint64_t kFewCells = std::uint64_t{1} << 16;

bool has_few_cells(const Channel& channel) { return channel.outputs() <= kFewCells / channel.input_numbers(); }

// Not for networks: they have no list of rows that is shorter than the inputs.
std::uint64_t nodes_for_a_pass(MeasuredModel& subject) {
  const Number rows = subject.prior().support_size(subject.budget());
  const double cells =
      static_cast<double>(subject.channel().input_numbers()) * static_cast<double>(subject.channel().outputs());
  const double nodes = cells / (rows.approx() * rows.approx());
  return nodes < static_cast<double>(kWorthSearching) ? 0 : static_cast<std::uint64_t>(nodes);
}

// Search products by what their factors see of the rows that occur, if inputs x outputs are too many or every
// entry would have to be multiplied out.
Strategy strategy_for(MeasuredModel& subject) {
  const auto* product = dynamic_cast<const ProductChannel*>(&subject.channel());
  if (product == nullptr) return {true, 0};
  if (!subject.can_enumerate() || !product->has_few_products(subject.budget())) return {false, UINT64_MAX, true};
  if (!subject.prior().tables().empty()) return {true, 0, !has_few_cells(subject.channel())};
  return {true, nodes_for_a_pass(subject)};
}

// Returns a progress callback that reports `what` with its bounds and nodes; empty if the limits have none.
std::function<void(double, double, std::uint64_t)> report_of(const std::string& what, const Limits& limits) {
  if (!limits.told) return {};
  return [&limits, what](double at_least, double at_most, std::uint64_t nodes) {
    std::ostringstream text;
    text.precision(4);
    text << std::fixed << what << " " << at_least << " to " << at_most << ", " << nodes << " nodes";
    limits.told(text.str());
  };
}

// Returns an upper bound on the level of every coordinate without a search: the LDP level, as no output
// distinguishes values better than inputs (Proposition 3). nullopt past a limit.
std::optional<Level> bound_of_all(MeasuredModel& subject) {
  try {
    return level_among_all(subject).at_least;
  } catch (const LimitError&) {
    return std::nullopt;
  }
}

// rows_by_value() that ends when at most `reserve` seconds are left for the remaining work.
ProjectedRows rows_until(double reserve, const Model& model, std::size_t coordinate, Budget& budget) {
  Limits limits = budget.limits();
  limits.max_seconds = budget.seconds_left() - reserve;
  try {
    if (limits.max_seconds <= 0) budget.fail_for_time();
    Budget until(limits);
    return rows_by_value(model, coordinate, until);
  } catch (const LimitError&) {
    if (budget.seconds_left() <= reserve) budget.fail_for_time();  // report the user's own limit
    throw;
  }
}

GroupLevel unsearched(const Level& at_most, const std::string& reason) {
  GroupLevel level;
  level.way = Way::kSearch;
  level.unfinished = Unfinished{at_most, reason};
  return level;
}

constexpr std::uint64_t kNodesAtFirst = 1024;
constexpr std::size_t kProbesPerWorker = 16;  // per worker, in one batch

// Outcomes by coordinate, and the first coordinate without one.
struct Probes {
  std::vector<Bytes> found;
  std::size_t next = 0;

  explicit Probes(std::size_t count) : found(count) {}
  Bytes state() const {
    return BinaryWriter()
        .put(std::vector<Bytes>(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(next)))
        .take();
  }
  void resume(const Bytes& kept) {
    if (kept.empty()) return;
    std::vector<Bytes> known = BinaryReader(kept).texts();
    if (known.size() > found.size()) throw BytesError("more coordinates were looked at than there are");
    next = known.size();
    std::move(known.begin(), known.end(), found.begin());
  }
};

// Returns the outcomes; past a limit or after a stop, those known by then.
Bytes lead_probes(WorkerPool& workers, Budget& budget, std::size_t coordinates) {
  Probes probes(coordinates);
  probes.resume(workers.kept());
  try {
    while (probes.next < coordinates) {
      std::vector<Bytes> places;
      const std::size_t end = std::min(coordinates, probes.next + kProbesPerWorker * workers.count());
      for (std::size_t k = probes.next; k < end; ++k) places.push_back(BinaryWriter().put(k).take());
      std::vector<Bytes> found = workers.map(places);
      budget.check();  // results that this limit cut short are not outcomes
      for (Bytes& one : found) probes.found[probes.next++] = std::move(one);
      workers.keep([&] { return probes.state(); });
    }
  } catch (const LimitError&) {
    workers.is_unfinished(probes.state());
  }
  return BinaryWriter().put(probes.found).take();
}

// Distributed run only: probes every coordinate with a small node limit, one coordinate per work unit. Most
// searches finish within it. Finished probes are results; the others resume as one parallel search each. Returns
// empty probes if no worker takes part.
std::vector<Probe> probes_of(MeasuredModel& subject, std::span<const std::size_t> coordinates, double seconds,
                             std::uint64_t most_nodes, const AllowedPairs& direction) {
  if (subject.budget().limits().scope == nullptr || subject.shared_as().empty() || coordinates.size() < 2) {
    return std::vector<Probe>(coordinates.size());
  }
  const std::uint64_t nodes = std::min(most_nodes, kNodesAtFirst);
  const double share = seconds / (4 * static_cast<double>(coordinates.size()));
  const Unit unit = [&](const Bytes& place, std::size_t, Budget& budget) {
    try {
      ProjectedRows seen =
          rows_by_value(subject.model(), coordinates[BinaryReader(place).below(coordinates.size())], budget);
      seen.direction = direction;
      const Probe probe = searched_in_short(seen, budget, nodes, share);
      return BinaryWriter().put(probe.outcome).put(probe.begun).take();
    } catch (const LimitError&) {
      return Bytes();
    }
  };
  const TaskBody lead = [&](WorkerPool& workers, Budget& budget) {
    return lead_probes(workers, budget, coordinates.size());
  };
  BinaryWriter question;
  question.put(subject.shared_as()).put(std::vector<std::size_t>(coordinates.begin(), coordinates.end()));
  question.put(nodes).put(direction.from).put(direction.to);
  const Bytes outcome = run_task(task_name("first probes", question.take()), unit, lead, subject.budget());
  std::vector<Probe> probes;
  for (const Bytes& found : BinaryReader(outcome).texts()) {
    Probe& probe = probes.emplace_back();
    if (found.empty()) continue;
    BinaryReader texts(found);
    probe.outcome = texts.text();
    probe.begun = texts.text();
    texts.require_end();
  }
  if (probes.size() != coordinates.size()) throw BytesError("another number of coordinates was looked at");
  return probes;
}

// Searches within `seconds` in all; quick searches leave their time to later ones. A stop or a limit ends the
// searches and leaves the bounds known by then. A coordinate whose rows were not gathered gets the LDP bound only.
std::vector<GroupLevel> searched_levels(MeasuredModel& subject, std::span<const std::size_t> coordinates,
                                        double seconds, std::uint64_t most_nodes, const AllowedPairs& direction) {
  std::vector<GroupLevel> levels(coordinates.size());
  const std::optional<Level> bound = bound_of_all(subject);
  const std::size_t threads = wanted_threads(subject.budget().limits());
  const double reserve = subject.budget().seconds_left() - seconds;
  const std::vector<Probe> known = probes_of(subject, coordinates, seconds, most_nodes, direction);
  SpareThreads spare(threads, levels.size());
  const auto search = [&](std::uint64_t k, std::size_t, Budget& budget) {
    const SpareThreads::Item item(spare);
    const std::size_t waiting = levels.size() - k;
    const double share = static_cast<double>(std::min(threads, waiting)) / static_cast<double>(waiting);
    // A stop does not end this part: a coordinate that has not started yet also needs a bound.
    Budget unstopped(budget, Budget::kUnstopped);
    try {
      ProjectedRows seen = rows_until(reserve / 2, subject.model(), coordinates[k], unstopped);
      seen.direction = direction;
      if (!known[k].outcome.empty()) {
        levels[k] = level_found_in_short(seen, unstopped, known[k].outcome);
        return;
      }
      const std::string& name = subject.domain().coordinate(coordinates[k]).name;
      const SearchLimits search_limits{share * (unstopped.seconds_left() - reserve),
                                       budget.limits().stop,
                                       report_of("bcdp " + name, budget.limits()),
                                       most_nodes,
                                       known[k].begun,
                                       Averages::kWhereCheaper,
                                       &spare};
      levels[k] = search_outputs(seen, unstopped, search_limits);
    } catch (const LimitError& error) {
      if (!bound || *bound == Level()) throw;
      levels[k] = unsearched(*bound, error.what());
    }
  };
  const bool is_long =
      std::any_of(known.begin(), known.end(), [](const Probe& probe) { return probe.outcome.empty(); });
  by_threads(threads, levels.size(), subject.budget(), search, is_long ? Starting::kAtOnce : Starting::kAfterAWhile);
  return levels;
}

// Measures the unfinished levels in a pass; past a limit their bounds remain.
void finish_in_columns(MeasuredModel& subject, const std::vector<std::size_t>& coordinates,
                       const AllowedPairs& direction, std::vector<GroupLevel>& levels) {
  std::vector<std::size_t> open;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (levels[k].unfinished) open.push_back(k);
  }
  if (open.empty()) return;
  std::vector<std::size_t> asked;
  for (const std::size_t k : open) asked.push_back(coordinates[k]);
  try {
    std::vector<GroupLevel> found = subject.answer(between_values(subject.domain(), asked, direction));
    for (std::size_t o = 0; o < open.size(); ++o) levels[open[o]] = std::move(found[o]);
  } catch (const LimitError&) {
    return;
  }
}

// Returns nullopt if the prior is not a network with tractable messages, or if a limit is reached and a pass is
// possible. A pass then decides unfinished levels if it can.
std::optional<std::vector<GroupLevel>> levels_of_network(MeasuredModel& subject, const Strategy& strategy,
                                                         const std::vector<std::size_t>& coordinates, double seconds,
                                                         const AllowedPairs& direction) {
  Budget unstopped(subject.budget(), Budget::kUnstopped);
  const Directions directions{{coordinates[0], direction}};
  std::vector<GroupLevel> levels;
  try {
    const std::optional<Network> network = network_of(subject.model(), unstopped);
    if (!network) return std::nullopt;
    const double own = strategy.columns ? seconds / 2 : seconds;
    const std::vector<GroupLevel> all = search_network(subject.model(), *network, subject.budget(), own, directions);
    for (const std::size_t i : coordinates) levels.push_back(all[i]);
  } catch (const LimitError&) {
    if (!strategy.columns) throw;
    return std::nullopt;
  }
  if (strategy.columns) finish_in_columns(subject, coordinates, direction, levels);
  return levels;
}

bool prefers_columns(MeasuredModel& subject) {
  const Strategy strategy = strategy_for(subject);
  return strategy.most_nodes == 0 && !strategy.network;
}

std::vector<GroupLevel> whole_between_values(MeasuredModel& subject, const std::vector<std::size_t>& coordinates,
                                             double seconds, const AllowedPairs& direction) {
  assert(direction == AllowedPairs() || coordinates.size() == 1);
  const Strategy strategy = strategy_for(subject);
  if (strategy.network) {
    if (auto levels = levels_of_network(subject, strategy, coordinates, seconds, direction)) return *std::move(levels);
  }
  if (strategy.most_nodes == 0) return subject.answer(between_values(subject.domain(), coordinates, direction));
  std::vector<GroupLevel> levels = searched_levels(subject, coordinates, seconds, strategy.most_nodes, direction);
  if (strategy.columns) finish_in_columns(subject, coordinates, direction, levels);
  return levels;
}

// Models that are taken apart into components.

// The level 0 of a coordinate that no component sees: the first and last values of positive mass that are
// compared.
GroupLevel nothing_released(const MeasuredModel& subject, std::size_t coordinate, const AllowedPairs& direction) {
  const std::vector<Number> masses = subject.prior().marginal_weights(coordinate, subject.budget());
  GroupLevel level;
  while (masses[level.from].is_zero()) ++level.from;
  level.to = level.from;
  level.witness = FoundOutput{{}, Number(1), Number(1)};
  for (std::size_t from = level.from; from < masses.size(); ++from) {
    for (std::size_t to = masses.size(); to-- > 0;) {
      if (masses[from].is_zero() || masses[to].is_zero() || !direction.allows(from, to)) continue;
      level.from = from;
      level.to = to;
      return level;
    }
  }
  return level;
}

// If coordinates are independent, the outputs of one component reveal nothing about the coordinates of another.
// The level of a coordinate is that of its component; the other components only scale both probabilities of the
// witness.
std::vector<GroupLevel> values_in_components(MeasuredModel& subject, const std::vector<std::size_t>& coordinates,
                                             double in_all, const AllowedPairs& direction) {
  const std::vector<Component> components = components_of(subject.model(), subject.budget());
  const auto likely = std::make_shared<const LikelyOutputs>(subject, components);
  const auto completed = [&](GroupLevel level, std::size_t own) {
    level.witness =
        Lazy<FoundOutput>::made_by([likely, found = level.witness, own] { return likely->with(own, found.get()); });
    return level;
  };
  std::vector<std::pair<std::size_t, std::size_t>> places(subject.domain().size(), {components.size(), 0});
  for (std::size_t c = 0; c < components.size(); ++c) {
    for (std::size_t k = 0; k < components[c].coordinates.size(); ++k) places[components[c].coordinates[k]] = {c, k};
  }
  const double reserve = subject.budget().seconds_left() - in_all;
  std::vector<GroupLevel> levels;
  for (const std::size_t i : coordinates) {
    const double seconds =
        (subject.budget().seconds_left() - reserve) / static_cast<double>(coordinates.size() - levels.size());
    const auto [own, place] = places[i];
    if (own == components.size()) {
      levels.push_back(completed(nothing_released(subject, i, direction), own));
      continue;
    }
    MeasuredModel part(components[own].model, subject.budget());
    levels.push_back(whole_between_values(part, {place}, seconds, direction)[0]);
    if (levels.back().shows_something()) levels.back() = completed(std::move(levels.back()), own);
  }
  return levels;
}

bool follows_from_components(MeasuredModel& subject) {
  return subject.prior().has_independent_coordinates() && !is_connected(subject.model());
}

}  // namespace

std::vector<GroupLevel> levels_between_values(MeasuredModel& subject, const std::vector<std::size_t>& coordinates,
                                              double seconds, const AllowedPairs& direction,
                                              const RefineLevels& refine) {
  if (!branches_of(subject.channel()).empty()) {
    const double reserve = subject.budget().seconds_left() - seconds;
    return largest_of_branches(subject, [&](MeasuredModel& part, std::size_t left) {
      const double own = (subject.budget().seconds_left() - reserve) / static_cast<double>(left);
      return levels_between_values(part, coordinates, own, direction, refine);
    });
  }
  std::vector<GroupLevel> levels = follows_from_components(subject)
                                       ? values_in_components(subject, coordinates, seconds, direction)
                                       : whole_between_values(subject, coordinates, seconds, direction);
  if (refine) refine(subject, levels);
  return levels;
}

std::optional<std::vector<GroupLevel>> bounds_of_long_levels(MeasuredModel& subject) {
  if (!branches_of(subject.channel()).empty() || follows_from_components(subject)) return std::nullopt;
  if (!strategy_for(subject).network) return std::nullopt;
  try {
    const std::optional<Network> network = network_of(subject.model(), subject.budget());
    if (!network || !has_long_levels(*network, subject.budget().limits())) return std::nullopt;
    return network_bounds(subject.model(), *network, subject.budget());
  } catch (const Interrupted&) {
    throw;
  } catch (const LimitError&) {
    return std::nullopt;  // too many rays: the search bounds these
  }
}

GroupLevel level_between_labels(MeasuredModel& subject, const Partition& partition, double seconds,
                                const AllowedPairs& direction) {
  if (!branches_of(subject.channel()).empty()) {
    return largest_of_branches(subject, [&](MeasuredModel& part, std::size_t left) {
      return std::vector{level_between_labels(part, partition, seconds / static_cast<double>(left), direction)};
    })[0];
  }
  const Strategy strategy = strategy_for(subject);
  if (strategy.network && partition.coordinates().size() == 1) {
    return whole_between_values(subject, partition.coordinates(), seconds, direction)[0];
  }
  const auto in_columns = [&] { return subject.answer(BetweenLabels{{partition}, direction})[0]; };
  if (strategy.most_nodes == 0) return in_columns();
  Budget unstopped(subject.budget(), Budget::kUnstopped);
  ProjectedRows seen = rows_by_label(subject.model(), partition, unstopped);
  seen.direction = direction;
  const SearchLimits search_limits{seconds, subject.budget().limits().stop,
                                   report_of("secret", subject.budget().limits()), strategy.most_nodes};
  GroupLevel level = search_outputs(seen, unstopped, search_limits);
  if (!level.unfinished || !strategy.columns) return level;
  try {
    return in_columns();
  } catch (const LimitError&) {
    return level;
  }
}

void expect_between_values(MeasuredModel& subject, const std::vector<std::size_t>& coordinates) {
  if (!subject.model().prior || follows_from_components(subject) || !prefers_columns(subject)) return;
  subject.expect(between_values(subject.domain(), coordinates));
}

void expect_between_labels(MeasuredModel& subject, const Partition& partition) {
  if (!subject.model().prior || !prefers_columns(subject)) return;
  subject.expect(BetweenLabels{{partition}, {}});
}

bool searches_each_coordinate(MeasuredModel& subject) {
  if (!subject.model().prior || !branches_of(subject.channel()).empty()) return false;
  if (follows_from_components(subject)) return true;
  return strategy_for(subject).most_nodes > 0 && subject.prior().tables().empty();
}

bool compares_any(const std::vector<Number>& masses, const AllowedPairs& direction) {
  for (std::size_t from = 0; from < masses.size(); ++from) {
    for (std::size_t to = 0; to < masses.size() && !masses[from].is_zero(); ++to) {
      if (direction.allows(from, to) && !masses[to].is_zero()) return true;
    }
  }
  return false;
}

double seconds_to_search(const Budget& budget) { return 0.9 * budget.seconds_left(); }

}  // namespace oddsbound::engine
