#include "verifier/engine/network_search.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "base/errors.h"
#include "verifier/engine/search_node.h"
#include "verifier/exact/threads.h"

namespace oddsbound::engine {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

// One ray of each set about a coordinate, and the pair of values that they distinguish.
struct Choice {
  std::uint32_t from, to;
  std::vector<std::size_t> rays;
  Number p_from, p_to;  // up to a common factor
};

// Computes the level of one coordinate from the sets of rays about it.
class LevelBetween {
 public:
  LevelBetween(const Likelihoods& likelihoods, RaySets sets, const std::vector<Number>& masses, AllowedPairs direction,
               Budget& budget)
      : likelihoods_(likelihoods),
        sets_(std::move(sets)),
        masses_(masses),
        direction_(std::move(direction)),
        budget_(budget) {}

  /// Returns the pair of values and the rays with the largest ratio.
  Choice best() const {
    const std::vector<Pair> pairs = promising();
    Choice best = exactly(pairs[0]);
    for (std::size_t p = 1; p < pairs.size(); ++p) {
      Choice choice = exactly(pairs[p]);
      if (compare_products(choice.p_from, best.p_to, choice.p_to, best.p_from) > 0) best = std::move(choice);
    }
    return best;
  }

  struct Bounds {
    std::uint32_t from, to;
    double at_least, at_most;  // of the level, in nats
  };
  /// Encloses the level in doubles; nullopt if they are too uncertain.
  std::optional<Bounds> bounds() const {
    constexpr double kMostOff = 1e-7;
    const double off = uncertainty();
    if (!(off < kMostOff)) return std::nullopt;
    const std::vector<Pair> pairs = promising();
    // Also of pairs that are not the best: nothing is known of odds outside the range of doubles.
    if (!std::all_of(pairs.begin(), pairs.end(), [](const Pair& pair) { return std::isfinite(pair.odds); })) {
      return std::nullopt;
    }
    const auto best =
        std::max_element(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.odds < b.odds; });
    if (best->from == best->to) return Bounds{best->from, best->to, 0, 0};  // nothing is compared
    return Bounds{best->from, best->to, best->odds - off, best->odds + off + slack()};
  }

  const RaySets& sets() const { return sets_; }

  /// Returns how much the left-out rays may add to the level, in nats.
  double slack() const {
    double sum = 0;
    for (const RaySet* set : sets_) sum += 2 * set->slack;
    return sum;
  }

 private:
  struct Pair {
    std::uint32_t from, to;
    double odds;  // log of the largest ratio, approximately
  };

  // Returns the entry of a value; rays over no coordinate have one entry for all values.
  template <class Entry>
  static const Entry& of_value(const RaySet& set, const std::vector<Entry>& ray, std::uint32_t value) {
    return ray[set.over.empty() ? 0 : value];
  }
  static double ratio(const RaySet& set, std::size_t ray, const Pair& pair) {
    const double from = of_value(set, set.rays[ray].shares, pair.from);
    const double to = of_value(set, set.rays[ray].shares, pair.to);
    if (from == 0) return 0;
    return to == 0 ? kInfinite : from / to;
  }
  static double largest_ratio(const RaySet& set, const Pair& pair) {
    double largest = 0;
    for (std::size_t r = 0; r < set.rays.size(); ++r) largest = std::max(largest, ratio(set, r, pair));
    return largest;
  }
  // Relative error of a ratio of two shares.
  static double doubt(const RaySet& set) { return 2 * set.error + 1e-15; }

  // Returns the error of the odds of a pair. The logarithm of a ratio of two shares has an error of at most 4 doubt().
  // With S sets, all logarithms are below 700 and have S roundings: below 1e-12 (S + 1)^2 together.
  double uncertainty() const {
    const double terms = static_cast<double>(sets_.size()) + 1;
    double off = 1e-12 * terms * terms;
    for (const RaySet* set : sets_) off += 4 * doubt(*set);
    return off;
  }

  // Returns the pairs of values that may have the largest ratio. If there are no allowed pairs, one value twice.
  std::vector<Pair> promising() const {
    std::vector<Pair> pairs;
    double off = 2 * uncertainty();
    std::uint32_t possible = 0;
    double most = -kInfinite;
    for (std::uint32_t from = 0; from < masses_.size(); ++from) {
      if (masses_[from].is_zero()) continue;
      possible = from;
      for (std::uint32_t to = 0; to < masses_.size(); ++to) {
        if (!direction_.allows(from, to) || masses_[to].is_zero()) continue;
        Pair pair{from, to, 0};
        for (const RaySet* set : sets_) pair.odds += std::log(largest_ratio(*set, pair));
        const double share = std::log((masses_[to] / masses_[from]).approx());
        if (!std::isfinite(share)) off = kInfinite;  // outside the range of doubles
        pair.odds += share;
        most = std::max(most, pair.odds);
        pairs.push_back(pair);
      }
    }
    if (pairs.empty()) return {{possible, possible, 0}};
    if (off > 0.1) return pairs;
    std::erase_if(pairs, [&](const Pair& pair) { return pair.odds < most - off; });
    return pairs;
  }

  Choice exactly(const Pair& pair) const {
    Choice choice{pair.from, pair.to, {}, Number(1), Number(1)};
    for (const RaySet* set : sets_) {
      choice.rays.push_back(best_ray(*set, pair));
      const std::vector<Number>& ray = likelihoods_.exact(*set, choice.rays.back());
      choice.p_from *= of_value(*set, ray, pair.from);
      choice.p_to *= of_value(*set, ray, pair.to);
    }
    choice.p_from /= masses_[pair.from];
    choice.p_to /= masses_[pair.to];
    return choice;
  }

  // Returns a ray of the set with the largest ratio.
  std::size_t best_ray(const RaySet& set, const Pair& pair) const {
    const double largest = largest_ratio(set, pair);
    const double least = doubt(set) < 0.1 ? largest * (1 - 2 * doubt(set)) : 0;
    std::optional<std::size_t> best;
    for (std::size_t r = 0; r < set.rays.size(); ++r) {
      const double own = ratio(set, r, pair);
      if (own == 0 || own < least) continue;
      if (own == kInfinite) return r;
      budget_.check_every();
      if (!best || is_larger(set, r, *best, pair)) best = r;
    }
    return *best;
  }

  // Compares the ratios of two rays exactly.
  bool is_larger(const RaySet& set, std::size_t ray, std::size_t other, const Pair& pair) const {
    const std::vector<Number>& a = likelihoods_.exact(set, ray);
    const std::vector<Number>& b = likelihoods_.exact(set, other);
    return compare_products(of_value(set, a, pair.from), of_value(set, b, pair.to), of_value(set, a, pair.to),
                            of_value(set, b, pair.from)) > 0;
  }

  const Likelihoods& likelihoods_;
  RaySets sets_;
  const std::vector<Number>& masses_;
  AllowedPairs direction_;
  Budget& budget_;
};

class NetworkSearch {
 public:
  NetworkSearch(const Model& model, const Network& network, const Directions& directions, Budget& budget)
      : model_(model), network_(network), directions_(directions) {
    most_lost_ = Level::of_exponential(Number(1));
    for (const SeenPart& part : network_.parts) most_lost_ = most_lost_ + largest_loss(part.factor);
    for (std::size_t i = 0; i < network_.shape.size(); ++i) {
      masses_.push_back(model.prior->marginal_weights(i, budget));
    }
  }

  std::vector<GroupLevel> levels(const PruneOptions& keeping, Budget& budget) const {
    Messages messages(network_, keeping, budget);
    std::vector<RaySets> about;
    for (std::size_t i = 0; i < network_.shape.size(); ++i) about.push_back(messages.about(i));
    // The messages are complete, so coordinates are independent. Each has its own place, whatever thread takes it.
    std::vector<GroupLevel> levels(about.size());
    by_threads(wanted_threads(budget.limits()), about.size(), budget, [&](std::uint64_t i, std::size_t, Budget& own) {
      levels[i] = level_about(i, messages.likelihoods(), about[i], keeping, own);
    });
    return levels;
  }

  std::optional<std::vector<GroupLevel>> bounds(const PruneOptions& keeping, Budget& budget) const {
    Messages messages(network_, keeping, budget);
    std::vector<GroupLevel> levels;
    for (std::size_t i = 0; i < network_.shape.size(); ++i) {
      const LevelBetween between(messages.likelihoods(), messages.about(i), masses_[i], {}, budget);
      const auto bounds = between.bounds();
      if (!bounds) return std::nullopt;
      GroupLevel& level = levels.emplace_back();
      level.from = bounds->from;
      level.to = bounds->to;
      level.at_least = nearby_level(bounds->at_least, false);
      level.way = Way::kNetwork;
      const Level above = nearby_level(bounds->at_most, true);
      if (bounds->at_most > 0) {
        level.unfinished = Unfinished{above,
                                      "exact levels of a network of this size are too long to write, so they are "
                                      "enclosed in doubles"};
      }
    }
    return levels;
  }

 private:
  // A level with few digits on one side of `nats`. A unit more or less is far above the rounding of the product.
  static Level nearby_level(double nats, bool above) {
    constexpr double kUnits = 1e9;  // of a nat
    const double units = std::max(0.0, above ? std::ceil(nats * kUnits) + 1 : std::floor(nats * kUnits) - 1);
    return Level::of_exponential(
        Number::exp_of(Number::ratio(static_cast<std::int64_t>(units), static_cast<std::int64_t>(kUnits))));
  }

  GroupLevel level_about(std::size_t i, const Likelihoods& likelihoods, const RaySets& sets,
                         const PruneOptions& keeping, Budget& budget) const {
    const auto direction = directions_.find(i);
    const LevelBetween between(likelihoods, sets, masses_[i],
                               direction == directions_.end() ? AllowedPairs() : direction->second, budget);
    GroupLevel level = found(likelihoods, between);
    if (keeping.most == 0) {
      bound(level, most_lost_, "the search was not begun");
    } else if (between.slack() > 0 && !level.at_least.is_infinite()) {
      const FoundOutput output = level.witness.get();
      const double above = (output.p_from / output.p_to).approx() * std::exp(between.slack()) * (1 + 1e-12);
      bound(level, level_above(above),
            "what parts of the network tell has more than " + std::to_string(keeping.most) + " extreme cases");
    }
    return level;
  }

  void bound(GroupLevel& level, const Level& above, std::string reason) const {
    const Level at_most = std::min(above, most_lost_);
    if (at_most > level.at_least) level.unfinished = Unfinished{at_most, std::move(reason)};
  }

  GroupLevel found(const Likelihoods& likelihoods, const LevelBetween& between) const {
    const Choice choice = between.best();
    std::vector<std::uint32_t> outputs(network_.parts.size());
    for (std::size_t s = 0; s < choice.rays.size(); ++s) {
      likelihoods.outputs_of(*between.sets()[s], choice.rays[s], outputs);
    }
    GroupLevel level;
    Number scale(1);
    std::vector<std::uint64_t> whole(model_.channel->factors().size());
    for (std::size_t f = 0; f < outputs.size(); ++f) {
      const SeenFactor& factor = network_.parts[f].factor;
      for (std::size_t k = 0; k < factor.factors.size(); ++k) {
        whole[factor.factors[k]] = factor.outputs[outputs[f]][k];
      }
      scale *= factor.scale(outputs[f]);
    }
    level.from = choice.from;
    level.to = choice.to;
    level.attain({std::move(whole), choice.p_from * scale, choice.p_to * scale});
    level.way = Way::kNetwork;
    return level;
  }

  const Model& model_;
  const Network& network_;
  const Directions& directions_;
  Level most_lost_;
  std::vector<std::vector<Number>> masses_;  // per coordinate, of its values
};

// Combines the results of two searches for one level: the larger level found, the smaller proven bound.
GroupLevel narrower(GroupLevel a, const GroupLevel& b) {
  const GroupLevel& proven = b.at_most() <= a.at_most() ? b : a;
  const std::optional<Unfinished> unfinished = proven.unfinished;
  if (b.at_least > a.at_least || (b.shows_something() && !a.shows_something())) a = b;
  a.unfinished = unfinished && unfinished->at_most > a.at_least ? unfinished : std::nullopt;
  return a;
}

}  // namespace

std::vector<GroupLevel> network_levels(const Model& model, const Network& network, const PruneOptions& keeping,
                                       Budget& budget, const Directions& directions) {
  return NetworkSearch(model, network, directions, budget).levels(keeping, budget);
}

bool has_long_levels(const Network& network, const Limits& limits) {
  constexpr double kCharacters = 20, kSecondsOfCharacter = 600e-9;  // Budget::reserve_output
  double factors = 0;
  for (const SeenPart& part : network.parts) {
    const auto is_rational = [](const std::vector<Number>& column) {
      return std::all_of(column.begin(), column.end(), [](const Number& entry) { return entry.is_rational(); });
    };
    const auto& entries = part.factor.entries;
    if (std::all_of(entries.begin(), entries.end(), is_rational)) continue;
    factors += static_cast<double>(part.factor.factors.size());
  }
  const double characters = kCharacters * factors * factors * static_cast<double>(network.shape.size());
  return characters * kSecondsOfCharacter > limits.max_seconds / 2;
}

std::optional<std::vector<GroupLevel>> network_bounds(const Model& model, const Network& network, Budget& budget) {
  constexpr std::size_t kMostRays = 2048;
  const Directions all;
  return NetworkSearch(model, network, all, budget).bounds({kMostRays, 0}, budget);
}

std::vector<GroupLevel> search_network(const Model& model, const Network& network, Budget& budget, double seconds,
                                       const Directions& directions) {
  constexpr std::size_t kMostRays = 2048;
  constexpr double kRough = 0.01;
  constexpr double kQuick = 10;                  // most networks finish by then
  Budget unstopped(budget, Budget::kUnstopped);  // runs even after a stop request, so that some result is known
  const NetworkSearch search(model, network, directions, unstopped);
  const auto within = [&](double part, double most) {
    Limits limits = budget.limits();
    limits.max_seconds = std::min(most, part * std::min(seconds, budget.seconds_left()));
    return limits;
  };
  try {
    Budget quick(within(0.3, kQuick));
    return search.levels({kMostRays, 0}, quick);
  } catch (const LimitError&) {  // the attempts below take less, or more
  }
  std::vector<GroupLevel> known = search.levels({0, 0}, unstopped);
  const Limits limits = within(0.85, seconds);  // the rest of the time is for writing the result
  Budget rest(limits);
  const auto is_open = [](const GroupLevel& level) { return level.unfinished.has_value(); };
  for (const double least_slack : {kRough, 0.0}) {
    if (std::none_of(known.begin(), known.end(), is_open)) break;
    try {
      const std::vector<GroupLevel> found = search.levels({kMostRays, least_slack}, rest);
      for (std::size_t i = 0; i < known.size(); ++i) known[i] = narrower(std::move(known[i]), found[i]);
    } catch (const LimitError& error) {
      const bool in_time = rest.seconds_left() > 0 || limits.stop.stop_requested();
      const std::string reason = in_time ? error.what() : budget.time_is_over();
      for (GroupLevel& level : known) {
        if (level.unfinished) level.unfinished->reason = reason;
      }
    }
  }
  return known;
}

}  // namespace oddsbound::engine
