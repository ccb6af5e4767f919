#include "design/over_sets.h"

#include <algorithm>
#include <map>

#include "base/errors.h"

namespace oddsbound::designs {

namespace {

using priors::ColumnInputs;
using priors::LabelledColumn;
using priors::Member;
using priors::Ratio;

LabelledColumn column_of(const ColumnInputs& inputs, const Rows& by_input, std::uint64_t y) {
  LabelledColumn column;
  for (const std::vector<std::uint64_t>& of_label : inputs.inputs) {
    std::vector<Number>& entries = column.entries.emplace_back();
    LabelledColumn::Extremes& extremes = column.extremes.emplace_back();
    for (const std::uint64_t x : of_label) {
      entries.push_back(by_input[x][y]);
      if (entries.back() > entries[extremes.largest]) extremes.largest = entries.size() - 1;
      if (entries.back() < entries[extremes.smallest]) extremes.smallest = entries.size() - 1;
    }
  }
  return column;
}

// Returns the label's inputs with their weights under the member, given the label.
Side side_under(const Member& member, const std::vector<std::uint64_t>& inputs) {
  Side side;
  Number mass(0);
  for (const auto& [x, weight] : member.rows) {
    if (std::find(inputs.begin(), inputs.end(), x) == inputs.end()) continue;
    side.emplace_back(x, weight);
    mass += weight;
  }
  for (auto& [x, weight] : side) weight = weight / mass;
  return side;
}

bool breaks(const Limit& limit, const Number& bound, const Rows& by_input, std::uint64_t y) {
  Number over(0);
  for (const auto& [x, weight] : limit.sides[0]) over += weight * by_input[x][y];
  for (const auto& [x, weight] : limit.sides[1]) over -= bound * weight * by_input[x][y];
  return over.sign() > 0;
}

const Number kBarely = Number::ratio(1, std::int64_t{1} << 14);

// Checks one limit after the other, at one output after the other.
class Breaking {
 public:
  Breaking(const Domain& domain, const Rows& by_input, Budget& budget)
      : domain_(domain), by_input_(by_input), budget_(budget) {}

  // number: the index of the limit, which the limits found here get as their `demand`.
  void look_at(std::size_t number, const OverSetLimit& limit, const Number& bound) {
    number_ = number;
    const ColumnInputs& inputs = limit.compared.inputs;
    const Number outputs(static_cast<std::int64_t>(by_input_[0].size()));
    const priors::SetQuestion question{domain_, inputs, outputs, limit.at_once};
    const std::unique_ptr<priors::SetSearch> search = limit.set->search(question, budget_);
    for (std::uint64_t y = 0; y < by_input_[0].size(); ++y) {
      const LabelledColumn column = column_of(inputs, by_input_, y);
      search->look_at(column);
      for (std::size_t from = 0; from < inputs.inputs.size(); ++from) {
        for (std::size_t to = 0; to < inputs.inputs.size(); ++to) {
          budget_.check();
          if (!limit.compared.direction.allows(from, to)) continue;
          if (Ratio::of(column.largest(from), column.smallest(to)) > Ratio::of(bound, Number(1))) {
            compare(limit, *search, bound, y, from, to);
          }
        }
      }
    }
  }

  Broken take() { return std::move(broken_); }

 private:
  void compare(const OverSetLimit& limit, priors::SetSearch& search, const Number& bound, std::uint64_t y,
               std::size_t from, std::size_t to) {
    const Ratio allowed = Ratio::of(bound, Number(1));
    if (search.is_at_most(from, to, allowed)) return;
    const std::optional<Ratio> largest = search.largest(from, to);
    if (const auto stopped = search.stopped(); stopped && stopped->at_most > allowed) broken_.unshown = true;
    if (!largest || *largest <= allowed) return;
    Limit found;
    found.demand = number_;
    found.about = limit.compared.about;
    found.level = limit.compared.level;
    const Member member = search.member(from, to);
    for (const std::size_t label : {from, to}) {
      found.sides.push_back(side_under(member, limit.compared.inputs.inputs[label]));
      found.names.push_back(name_of(limit.compared.labels[label]));
    }
    found.pairs = {{0, 1}};
    found.prior = member.rows;
    if (!breaks(found, bound, by_input_, y)) {
      broken_.unshown = true;
      return;
    }
    const Number most = bound * (Number(1) + kBarely);
    broken_.barely = broken_.barely && !breaks(found, most, by_input_, y);
    const auto is_same = [&](const Limit& other) {
      return other.demand == found.demand && other.about == found.about && other.sides == found.sides;
    };
    if (std::none_of(broken_.limits.begin(), broken_.limits.end(), is_same)) broken_.limits.push_back(std::move(found));
  }

  const Domain& domain_;
  const Rows& by_input_;
  Budget& budget_;
  std::size_t number_ = 0;
  Broken broken_;
};

Rows by_input(const OverSets& over_sets, const Rows& rows) {
  Rows result;
  for (const std::uint64_t row : over_sets.row_of_input) result.push_back(rows[row]);
  return result;
}

// Mixes in the least fraction among 2^-24, 2^-23, ..., 1 of a mechanism that reveals nothing with which all limits
// hold.
WithinSets mixed(Optimum optimum, const DesignProblem& wanted, const OverSets& over_sets, Budget& budget) {
  const Number each = Number(1) / Number(static_cast<std::int64_t>(wanted.outputs));
  constexpr std::int64_t kParts = std::int64_t{1} << 24;
  for (std::int64_t parts = 1; parts <= kParts; parts *= 2) {
    const Number share = Number::ratio(parts, kParts);
    Rows rows = optimum.rows;
    for (std::vector<Number>& row : rows) {
      for (Number& entry : row) entry = (Number(1) - share) * entry + share * each;
    }
    if (!broken_by(over_sets, rows, budget).holds()) continue;
    optimum.rows = std::move(rows);
    return {std::move(optimum), share};
  }
  throw LimitError("no mechanism was found of which it could be shown that it keeps what holds over sets of priors");
}

}  // namespace

std::vector<Level> levels_of(const std::vector<OverSetLimit>& limits) {
  std::vector<Level> levels;
  for (const OverSetLimit& limit : limits) levels.push_back(limit.compared.level);
  return levels;
}

Broken broken_by(const OverSets& over_sets, const Rows& rows, Budget& budget) {
  const Rows of_inputs = by_input(over_sets, rows);
  Breaking breaking(over_sets.domain, of_inputs, budget);
  for (std::size_t k = 0; k < over_sets.limits.size(); ++k)
    breaking.look_at(k, over_sets.limits[k], over_sets.bounds[k]);
  Broken broken = breaking.take();
  for (Limit& limit : broken.limits) gather(limit, over_sets.row_of_input);
  return broken;
}

std::optional<WithinSets> best_within(DesignProblem& wanted, const OverSets& over_sets,
                                      const std::function<std::optional<Optimum>(const DesignProblem&)>& solve,
                                      Budget& budget) {
  // If the worst prior moves on a line with the optimum, there is always another one, and the numbers grow: stop.
  constexpr int kMostRounds = 200;
  for (int round = 1;; ++round) {
    std::optional<Optimum> optimum = solve(wanted);
    if (!optimum) return std::nullopt;
    Broken broken = broken_by(over_sets, optimum->rows, budget);
    if (broken.holds()) return WithinSets{*std::move(optimum)};
    if (broken.barely || round == kMostRounds) return mixed(*std::move(optimum), wanted, over_sets, budget);
    for (Limit& limit : broken.limits) {
      wanted.bounds.push_back(over_sets.bounds[limit.demand]);
      limit.demand = over_sets.limits[limit.demand].demand;
      wanted.limits.push_back(std::move(limit));
    }
  }
}

void gather(Limit& limit, const std::vector<std::uint64_t>& row_of_input) {
  for (Side& side : limit.sides) {
    std::map<std::uint64_t, Number> weights;
    for (const auto& [x, weight] : side) weights[row_of_input[x]] += weight;
    side.assign(weights.begin(), weights.end());
  }
}

}  // namespace oddsbound::designs
