// What searches of several kinds share: members that are put together cell by cell, and a center by label.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <vector>

#include "verifier/model/prior.h"
#include "verifier/priors/line.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::priors {

/// Adds up masses by input.
class MemberBuilder {
 public:
  void add(std::uint64_t input, const Number& mass) {
    if (!mass.is_zero()) rows_[input] += mass;
  }
  Member finish(bool attains = true) const {
    Member member;
    for (const auto& [input, mass] : rows_) {
      if (!mass.is_zero()) member.rows.emplace_back(input, mass);
    }
    member.attains = attains;
    return member;
  }

 private:
  std::map<std::uint64_t, Number> rows_;
};

/// What a list by input, in their order, has of one of them; null: nothing.
template <typename Of>
const Of* find_row(const std::vector<std::pair<std::uint64_t, Of>>& rows, std::uint64_t input) {
  const auto place =
      std::lower_bound(rows.begin(), rows.end(), input, [](const auto& row, std::uint64_t x) { return row.first < x; });
  return place == rows.end() || place->first != input ? nullptr : &place->second;
}
/// The weight of an input among them.
Number weight_among(const NumberedRows& rows, std::uint64_t input);

/// The probabilities of inputs under a prior, by label and place, and what labels come to.
struct Center {
  std::vector<std::vector<Number>> cells;
  std::vector<Number> masses;

  Center(const Prior& prior, const LabelledInputs& inputs, Budget& budget);
  Center(const NumberedRows& rows, const Number& total, const LabelledInputs& inputs);
  /// P(output and label).
  Number joint(const LabelledColumn& column, std::size_t label) const;
  /// Of two labels.
  JointMasses forms(const LabelledColumn& column, std::size_t from, std::size_t to) const {
    return {joint(column, from), masses[from], joint(column, to), masses[to]};
  }
  /// Throws LimitError where doubles do not reach.
  RoundedCells rounded() const { return rounded_cells(cells, masses); }
};

/// The probability of every input, in input order.
std::vector<Number> probabilities(const Prior& prior, Budget& budget);

/// The set of priors around a center that a search goes through.
using SearchAround = std::function<std::unique_ptr<SetSearch>(Center, const LabelledInputs&)>;
/// The set by its definition. center: the probability of every input.
using DefineAround = std::function<SetDefinition(const std::vector<Number>& center)>;
/// How means are bounded over it, from the named inputs alone; others: whether others may have mass.
struct BoundsAround {
  bool others = false;
  std::function<std::unique_ptr<MeanBounds>(const Center&)> bounds;
};
PriorSetPtr set_around(Prior center, std::string words, SearchAround search, DefineAround define, BoundsAround bounds);

/// Cells of a label filled one after the other, from lower bounds to upper ones: its mass before the first of them and
/// after each that has room, and the probability of the output that goes with it.
struct Filling {
  std::vector<std::size_t> order;  // of places
  std::vector<Number> masses, joints;

  Filling(std::vector<std::size_t> places, const std::vector<Number>& entries, const std::vector<Number>& lower,
          const std::vector<Number>& upper);
  const Number& least() const { return masses.front(); }
  const Number& most() const { return masses.back(); }
  /// Linear between these masses.
  Number joint_at(const Number& mass) const;
};

/// The places of a label's inputs by their entries, the smallest first; equal ones in their order.
std::vector<std::size_t> places_by_entry(const LabelledColumn& column, std::size_t label);

/// The best of several lines, and which it was.
template <typename Where>
class BestLine {
 public:
  void offer(const JointMasses& begin, const JointMasses& end, const Where& where) {
    if (best_ && is_certainly_below(begin, end, best_->ratio)) return;
    const auto found = largest_on_line(begin, end);
    if (!found || (best_ && !is_better(*found, *best_))) return;
    best_ = found;
    begin_ = begin;
    end_ = end;
    where_ = where;
  }
  std::optional<Ratio> ratio() const { return best_ ? std::optional(best_->ratio) : std::nullopt; }
  const Where& where() const { return where_; }
  /// The weight of the line's end, of a member that shows it.
  Number weight() const { return weight_that_shows(*best_, begin_, end_); }
  /// Whether some prior on the line has the largest quotient, be its weight irrational.
  bool is_attained() const { return best_->attained; }
  /// Whether that member has the largest quotient itself.
  bool attains() const { return best_->attained && best_->at.is_number(); }
  /// The member that shows it, of those at weights of the line's end.
  template <typename At>
  Member shown(const At& at) const {
    Member member = at(weight());
    member.attains = attains();
    if (!member.attains) member.line = {at(Number(0)).rows, at(Number(1)).rows};
    return member;
  }

 private:
  std::optional<LargestOnLine> best_;
  JointMasses begin_, end_;
  Where where_{};
};

}  // namespace oddsbound::priors
