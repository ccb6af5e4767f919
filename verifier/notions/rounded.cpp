// Worst-case levels over all matrices Q that agree with a printed matrix up to rounding.
//
// A claim compares sides: rows of Q, or labels, whose rows are mixed by the prior. Under one Q its level is the largest
// log(P(y given from) / P(y given to)) over pairs of sides and outputs y. Therefore
//
//   the largest level over the set  = max over pairs and outputs of the largest quotient,
//   the smallest level over the set >= max over pairs and outputs of the smallest quotient.
//
// Each quotient is about one column. Rows of Q are free of each other, so the entries of a column take all values of a
// box at once, and quotients are extreme at its corners:
//
//   sides without a common row:  most(from) / least(to) and least(from) / most(to),
//   a label v and everyone:      A / (A + B) with A the mass of v and B that of the others; it rises in A, falls in B.
//
// One Q attains the largest quotient, so the upper bound is attained. The lower bound need not be: one Q has to satisfy
// all pairs. Exact minima are linear programs at every candidate level, and gain less than the width of the interval.
//
// A delta is the largest P(E given from) - e^eps P(E given to) over events E. The largest P(E given from) is at most
// the sum of `most` over E, and at most 1 minus the sum of `least` over the other outputs; likewise for the others.
// Each choice of two such sums is linear in E, so its best event follows output by output.
#include "verifier/notions/rounded.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/errors.h"
#include "verifier/notions/scope.h"
#include "verifier/smt/sides.h"

namespace oddsbound::notions {

std::string not_supported_by_rounding(const std::string& what) { return "not supported with --row-tolerance: " + what; }

namespace {

constexpr const char* kRoundingReason = "the matrix is known only up to rounding (--row-tolerance)";

// An output, two sides, and a quotient of their probabilities.
struct RoundedQuotient {
  Number p{0};
  Number q{1};
  std::size_t comparison = 0;
  std::uint64_t from = 0, to = 0, output = 0;

  bool is_infinite() const { return q.is_zero(); }
  bool is_below(const Number& other_p, const Number& other_q) const {
    if (other_p.is_zero() || is_infinite()) return false;
    return other_q.is_zero() || p * other_q < other_p * q;
  }
  Level level() const { return p < q ? Level() : level_between(p, q); }
};

class RoundedLevel {
 public:
  RoundedLevel(const Definition& definition, const Model& model, const RoundedRows& rows, Budget& budget)
      : definition_(definition), model_(model), rows_(rows), budget_(budget) {}

  void add(std::size_t place) {
    last_ = place;
    const Comparison& comparison = definition_[place];
    const Sides least = sides_of(model_, comparison, rows_.least, budget_);
    const Sides most = sides_of(model_, comparison, rows_.most, budget_);
    const std::uint64_t outputs = rows_.least.empty() ? 0 : rows_.least[0].size();
    const std::uint64_t everyone =
        comparison.last_is_everyone ? comparison.labels.size() - 1 : static_cast<std::uint64_t>(-1);
    const std::vector<Number>& mass = least.mass;
    const auto pairs = pairs_of(comparison, least);
    const std::uint64_t sides = least.possible.size();
    if (!comparison.last_is_everyone && sides > kFewSides && pairs.size() == sides * (sides - 1)) {
      for (std::uint64_t y = 0; y < outputs; ++y) add_column(place, y, least, most);
      return;
    }
    for (const auto& [from, to] : pairs) {
      for (std::uint64_t y = 0; y < outputs; ++y) {
        budget_.check_every();
        const Number &from_least = least.joint[from][y], &from_most = most.joint[from][y];
        const Number &to_least = least.joint[to][y], &to_most = most.joint[to][y];
        const RoundedQuotient at{Number(0), Number(1), place, from, to, y};
        if (to == everyone) {
          take(smallest_, at, from_least / mass[from], (from_least + to_most - from_most) / mass[to]);
          take(largest_, at, from_most / mass[from], (from_most + to_least - from_least) / mass[to]);
        } else if (from == everyone) {
          take(smallest_, at, (to_most + from_least - to_least) / mass[from], to_most / mass[to]);
          take(largest_, at, (to_least + from_most - to_most) / mass[from], to_least / mass[to]);
        } else {
          take(smallest_, at, from_least / mass[from], to_most / mass[to]);
          take(largest_, at, from_most / mass[from], to_least / mass[to]);
        }
      }
    }
  }

  MeasuredLevel level() const {
    MeasuredLevel level;
    level.at_least = smallest_.level();
    const Level most = largest_.level();
    if (most > level.at_least) level.unfinished = {most, kRoundingReason};
    if (smallest_.p >= smallest_.q) {
      level.witness = witness_of(smallest_);
    } else if (!level.unfinished) {  // the level is 0
      if (largest_.p == largest_.q) level.witness = witness_of(largest_);
      if (largest_.p.is_zero()) level.witness = witness_of_nothing();
    }
    return level;
  }

 private:
  static constexpr std::uint64_t kFewSides = 16;

  // The two sides with the largest (or smallest) probabilities of an output.
  struct TwoSides {
    struct Side {
      std::uint64_t side = 0;
      Number probability{0};
    };
    std::vector<Side> best{};
    bool largest = true;

    void offer(std::uint64_t side, const Number& probability) {
      const auto precedes = [&](const Side& known) {
        return largest ? probability > known.probability : probability < known.probability;
      };
      std::size_t place = best.size();
      while (place > 0 && precedes(best[place - 1])) --place;
      if (place < 2) best.insert(best.begin() + static_cast<std::ptrdiff_t>(place), {side, probability});
      if (best.size() > 2) best.pop_back();
    }
  };

  // If all pairs of sides are compared, an output's extreme quotients are between the largest and the smallest
  // probability, or next to these if both are of the same side.
  void add_column(std::size_t place, std::uint64_t y, const Sides& least, const Sides& most) {
    TwoSides high_least{{}, true}, high_most{{}, true}, low_least{{}, false}, low_most{{}, false};
    for (const std::uint64_t side : least.possible) {
      budget_.check_every();
      const Number &mass = least.mass[side], &from = least.joint[side][y], &to = most.joint[side][y];
      const Number smallest = mass.is_one() ? from : from / mass, largest = mass.is_one() ? to : to / mass;
      high_least.offer(side, smallest);
      low_least.offer(side, smallest);
      high_most.offer(side, largest);
      low_most.offer(side, largest);
    }
    take_pairs(smallest_, place, y, high_least, low_most);
    take_pairs(largest_, place, y, high_most, low_least);
  }

  static void take_pairs(RoundedQuotient& best, std::size_t place, std::uint64_t y, const TwoSides& high,
                         const TwoSides& low) {
    for (const TwoSides::Side& from : high.best) {
      for (const TwoSides::Side& to : low.best) {
        if (from.side == to.side) continue;
        take(best, {Number(0), Number(1), place, from.side, to.side, y}, from.probability, to.probability);
      }
    }
  }

  static void take(RoundedQuotient& best, RoundedQuotient at, Number p, Number q) {
    if (!best.is_below(p, q)) return;
    at.p = std::move(p);
    at.q = std::move(q);
    best = std::move(at);
  }

  // A side is compared with itself, unless a scope leaves no side.
  Witness witness_of_nothing() const {
    if (definition_.empty() || definition_[last_].label_pairs) return {};
    const Comparison& comparison = definition_[last_];
    const Sides sides = sides_of(model_, comparison, rows_.member(), budget_);
    const std::uint64_t side = sides.possible.at(0);
    std::uint64_t y = 0;
    while (sides.joint[side][y].is_zero()) ++y;
    const Number p = sides.joint[side][y] / sides.mass[side];
    return witness_of({p, p, last_, side, side, y});
  }

  Witness witness_of(const RoundedQuotient& quotient) const {
    const Comparison& comparison = definition_[quotient.comparison];
    const auto label = [&](std::uint64_t side) -> Label {
      return comparison.labels.empty() ? Label(model_.domain.tuple(side)) : comparison.labels[side];
    };
    Witness witness;
    witness.outputs = {model_.channel->output_label(quotient.output)};
    witness.from = label(quotient.from);
    witness.to = label(quotient.to);
    witness.p_from = quotient.p;
    witness.p_to = quotient.q;
    witness.coordinate = comparison.about;
    if (!comparison.given.empty()) witness.given = comparison.given[quotient.from];
    return witness;
  }

  const Definition& definition_;
  const Model& model_;
  const RoundedRows& rows_;
  Budget& budget_;
  std::size_t last_ = 0;  // the comparison that was added last
  RoundedQuotient smallest_, largest_;
};

// Bounds of delta over all pairs of one comparison.
class RoundedDelta {
 public:
  RoundedDelta(const Comparison& comparison, const Model& model, const RoundedRows& rows, Budget& budget)
      : comparison_(comparison),
        model_(model),
        budget_(budget),
        least_(sides_of(model, comparison, rows.least, budget)),
        most_(sides_of(model, comparison, rows.most, budget)),
        factor_(comparison.level.exponential()) {
    if (!least_.possible.empty()) witness_.from = witness_.to = label(least_.possible.front());
    witness_.coordinate = comparison_.about;
    for (const auto& [from, to] : pairs_of(comparison_, least_)) add(from, to);
  }

  MeasuredNumber delta() const {
    MeasuredNumber delta{at_least_, witness_, {}};
    if (at_most_ > at_least_) delta.unfinished = {at_most_, kRoundingReason};
    return delta;
  }

 private:
  // The sum over an event of these amounts, plus a constant.
  struct Linear {
    Number constant;
    std::vector<Number> amounts;
  };

  // Returns the bounds of P(E given side) by the sum over E, and by the sum over the other outputs.
  static std::array<Linear, 2> bounds(const Sides& own, const Sides& other, std::uint64_t side) {
    std::array<Linear, 2> found{Linear{Number(0), {}}, Linear{Number(1), {}}};
    const Number& mass = own.mass[side];
    for (const Number& joint : own.joint[side]) found[0].amounts.push_back(joint / mass);
    for (const Number& joint : other.joint[side]) {
      found[1].amounts.push_back(joint / mass);
      found[1].constant -= found[1].amounts.back();
    }
    return found;
  }

  // Returns the largest value of a - e^eps b over all events, and this event.
  std::pair<Number, std::vector<std::uint64_t>> best_event(const Linear& a, const Linear& b) {
    Number value = a.constant - factor_ * b.constant;
    std::vector<std::uint64_t> event;
    for (std::uint64_t y = 0; y < a.amounts.size(); ++y) {
      budget_.check_every();
      const Number gain = a.amounts[y] - factor_ * b.amounts[y];
      if (gain.sign() <= 0) continue;
      value += gain;
      event.push_back(y);
    }
    return {std::move(value), std::move(event)};
  }

  static Number at(const Linear& bound, const std::vector<std::uint64_t>& event) {
    Number value = bound.constant;
    for (const std::uint64_t y : event) value += bound.amounts[y];
    return value;
  }

  void add(std::uint64_t from, std::uint64_t to) {
    const auto from_least = bounds(least_, most_, from), from_most = bounds(most_, least_, from);
    const auto to_least = bounds(least_, most_, to), to_most = bounds(most_, least_, to);
    std::optional<Number> upper;
    for (const Linear& a : from_most) {
      for (const Linear& b : to_least) {
        Number value = best_event(a, b).first;
        if (!upper || value < *upper) upper = std::move(value);
      }
    }
    at_most_ = std::max(at_most_, *upper);
    for (const Linear& a : from_least) {
      for (const Linear& b : to_most) {
        const auto [value, event] = best_event(a, b);
        if (has_witness_ && value <= at_least_) continue;
        has_witness_ = true;
        at_least_ = std::max(at_least_, value);
        witness_.outputs.clear();
        for (const std::uint64_t y : event) witness_.outputs.push_back(model_.channel->output_label(y));
        witness_.from = label(from);
        witness_.to = label(to);
        witness_.p_from = std::max(at(from_least[0], event), at(from_least[1], event));
        witness_.p_to = std::min(at(to_most[0], event), at(to_most[1], event));
        if (!comparison_.given.empty()) witness_.given = comparison_.given[from];
      }
    }
  }

  Label label(std::uint64_t side) const {
    return comparison_.labels.empty() ? Label(model_.domain.tuple(side)) : comparison_.labels[side];
  }

  const Comparison& comparison_;
  const Model& model_;
  Budget& budget_;
  Sides least_, most_;
  Number factor_;
  Number at_least_{0}, at_most_{0};
  Witness witness_;
  bool has_witness_ = false;
};

// Comparisons of pairs that need all inputs at once are listed.
void require_listed(const Model& model) {
  constexpr std::uint64_t kMostInputs = 2048;
  if (model.domain.inputs() <= kMostInputs) return;
  throw LimitError("levels of a rounded matrix (--row-tolerance) need at most " + std::to_string(kMostInputs) +
                   " inputs, and there are " + std::to_string(model.domain.inputs()));
}

// The delta of a claim that compares events: one comparison, for which `tight` is about delta.
MeasuredNumber rounded_delta(const Notion& notion, const Arguments& arguments, const Model& model,
                             const RoundedRows& rows, Budget& budget) {
  require_listed(model);
  const Definition definition = notion.define(model, arguments, InputSubset(model.domain));
  if (definition.size() != 1 || definition[0].tight != Comparison::Tight::kDelta || definition[0].last_is_everyone) {
    throw LimitError(not_supported_by_rounding("claims about " + notion.name));
  }
  if (definition[0].level.is_infinite()) throw LimitError(not_supported_by_rounding("delta at an infinite epsilon"));
  return RoundedDelta(definition[0], model, rows, budget).delta();
}

// One level for all comparisons; by coordinate: one each, in their order.
std::vector<MeasuredLevel> rounded_levels(const Notion& notion, const Arguments& arguments, const Model& model,
                                          const RoundedRows& rows, Budget& budget) {
  require_listed(model);
  const Definition definition = notion.define(model, arguments, InputSubset(model.domain));
  const bool by_coordinate = form_of(notion, arguments) == ClaimForm::kByCoordinate;
  std::vector<MeasuredLevel> levels;
  RoundedLevel all(definition, model, rows, budget);
  for (std::size_t k = 0; k < definition.size(); ++k) {
    if (!definition[k].delta.is_zero()) throw LimitError(not_supported_by_rounding("claims about " + notion.name));
    // Sums of levels of several coordinates hold if the levels do.
    if (definition[k].tight == Comparison::Tight::kNone) continue;
    if (by_coordinate) {
      RoundedLevel own(definition, model, rows, budget);
      own.add(k);
      levels.push_back(own.level());
    } else {
      all.add(k);
    }
  }
  if (!by_coordinate) levels.push_back(all.level());
  return levels;
}

}  // namespace

std::string complaint_about_rounding(const Notion& notion, const Arguments& arguments) {
  if (arguments.has(kForAll)) return not_supported_by_rounding("claims over a set of priors");
  if (arguments.has_roots()) return not_supported_by_rounding("levels with a square root");
  if (knows_anything(arguments)) return not_supported_by_rounding(R"("known": "any")");
  const ClaimForm form = form_of(notion, arguments);
  const bool is_bounded =
      form == ClaimForm::kLevel || form == ClaimForm::kByCoordinate || form == ClaimForm::kLevelAndDelta;
  const bool has_tail = notion.allows_tail(arguments);
  if (notion.define && is_bounded && !has_tail) return "";
  return not_supported_by_rounding("claims about " + notion.name + (has_tail ? " with a delta" : ""));
}

Decision decide_rounded(const Notion& notion, const Arguments& arguments, const Model& model, const RoundedRows& rows,
                        Budget& budget) {
  if (const std::string complaint = complaint_about_rounding(notion, arguments); !complaint.empty()) {
    throw LimitError(complaint);
  }
  const std::string& field = notion.locking.bounds.front();
  if (form_of(notion, arguments) == ClaimForm::kLevelAndDelta) {
    return decide_number(rounded_delta(notion, arguments, model, rows, budget), arguments.get<Number>(field));
  }
  const std::vector<MeasuredLevel> levels = rounded_levels(notion, arguments, model, rows, budget);
  if (form_of(notion, arguments) != ClaimForm::kByCoordinate) {
    return decide_level(levels.front(), arguments.get<Level>(field));
  }
  const CoordinateLevels& claimed = arguments.get<CoordinateLevels>(field);
  std::vector<MeasuredLevel> by_coordinate(claimed.size());
  for (std::size_t i = 0, k = 0; i < claimed.size(); ++i) {
    if (claimed[i]) by_coordinate[i] = levels.at(k++);
  }
  return decide_coordinates(model.domain, by_coordinate, claimed);
}

Measured measure_rounded(const Notion& notion, const Model& model, const RoundedRows& rows, Budget& budget) {
  if (!notion.define) throw LimitError(not_supported_by_rounding("levels of " + notion.name));
  Arguments arguments;
  const bool by_coordinate = notion.form == ClaimForm::kByCoordinate;
  if (by_coordinate) {
    arguments.set("epsilon", CoordinateLevels(model.domain.size(), Level()));
  } else {
    arguments.set("epsilon", Level());
  }
  std::vector<MeasuredLevel> levels = rounded_levels(notion, arguments, model, rows, budget);
  if (by_coordinate) return levels;
  return levels.front();
}

}  // namespace oddsbound::notions
