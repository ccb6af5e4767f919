// Common tools of the searches: members built cell by cell, a center by label, greedy filling of cells, and the
// best of several lines.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/errors.h"
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

/// Returns the entry of an input in a list sorted by input; null if there is none.
template <typename Of>
const Of* find_row(const std::vector<std::pair<std::uint64_t, Of>>& rows, std::uint64_t input) {
  const auto place =
      std::lower_bound(rows.begin(), rows.end(), input, [](const auto& row, std::uint64_t x) { return row.first < x; });
  return place == rows.end() || place->first != input ? nullptr : &place->second;
}
/// Returns the weight of an input; 0 if it is not in the list.
Number weight_among(const NumberedRows& rows, std::uint64_t input);

/// The probabilities of inputs under a prior, by label and place, and the masses of the labels.
struct Center {
  std::vector<std::vector<Number>> cells;
  std::vector<Number> masses;

  Center(const Prior& prior, const ColumnInputs& inputs, Budget& budget);
  Center(const NumberedRows& rows, const Number& total, const ColumnInputs& inputs);
  /// Returns P(output and label).
  Number joint(const LabelledColumn& column, std::size_t label) const;
  /// Returns the joint masses of two labels.
  JointMasses forms(const LabelledColumn& column, std::size_t from, std::size_t to) const {
    return {joint(column, from), masses[from], joint(column, to), masses[to]};
  }
  /// Throws LimitError if a mass is outside the range of doubles that searches use.
  RoundedCells rounded() const { return rounded_cells(cells, masses); }
};

/// Returns make(), or nullopt if some mass is outside the range of doubles that searches use (rounded_mass).
template <typename Make>
auto if_in_range(const Make& make) -> std::optional<decltype(make())> {
  try {
    return make();
  } catch (const LimitError&) {
    return std::nullopt;
  }
}

/// Returns the probability of every input, in input order.
std::vector<Number> probabilities(const Prior& prior, Budget& budget);

/// Makes the search over a set of priors around a center.
using SearchAround = std::function<std::unique_ptr<SetSearch>(Center, const ColumnInputs&)>;
/// Defines the set. center: the probability of every input.
using DefineAround = std::function<SetDefinition(const std::vector<Number>& center)>;
/// Makes the bounds of means over the set, from the named inputs alone. others: whether other inputs may have
/// mass.
struct BoundsAround {
  bool others = false;
  std::function<std::unique_ptr<MeanBounds>(const Center&)> bounds;
};
PriorSetPtr set_around(Prior center, std::string words, SearchAround search, DefineAround define, BoundsAround bounds);

/// The cells of a label, filled one after the other from their lower to their upper bounds. `masses` holds the
/// label's mass before the first and after each cell that has room; `joints` holds the probability of the output
/// and the label at each of these.
struct Filling {
  std::vector<std::size_t> order;  // of places
  std::vector<Number> masses, joints;

  Filling(std::vector<std::size_t> places, const std::vector<Number>& entries, const std::vector<Number>& lower,
          const std::vector<Number>& upper);
  const Number& least() const { return masses.front(); }
  const Number& most() const { return masses.back(); }
  /// Returns the joint at a mass, by linear interpolation.
  Number joint_at(const Number& mass) const;
};

/// Returns the places of a label's inputs, by increasing entry; equal entries keep their order.
std::vector<std::size_t> places_by_entry(const LabelledColumn& column, std::size_t label);

/// The entries of a column in doubles, for bounds that discard most outputs before exact numbers are computed.
class RoundedEntries {
 public:
  /// The column must outlive the following questions.
  void look_at(const LabelledColumn& column) {
    constexpr std::size_t kMostKnown = std::size_t{1} << 16;  // they stay in memory
    if (known_.size() > kMostKnown) known_.clear();
    column_ = &column;
    labels_.assign(column.entries.size(), {});
  }
  /// Returns the label's entries by place, with relative errors of at most 2^-51; empty if one is neither 0 nor in
  /// [kLeastEntry, kMostEntry].
  std::span<const double> of(std::size_t label);

 private:
  // By the representation of a long number, which entries of one value share; the number keeps it alive.
  struct Known {
    Number number;
    double rounded;
  };
  std::unordered_map<const Number::Heavy*, Known> known_;
  const LabelledColumn* column_ = nullptr;
  std::vector<std::optional<std::vector<double>>> labels_;
};

/// A label's entries in doubles with masses: equal entries together, the smallest first.
class RoundedRuns {
 public:
  RoundedRuns(std::span<const double> cells, std::span<const double> entries);
  /// Returns the probability of the output with this mass of the label on its largest (smallest) entries.
  double largest(double mass) const { return joint(mass, true); }
  double smallest(double mass) const { return joint(mass, false); }
  /// Bounds the relative error of every sum. Times the mass and the largest entry, it also bounds the error that
  /// rounded masses cause.
  double error() const { return error_; }
  double most() const { return runs_.empty() ? 0 : runs_.back().entry; }

 private:
  double joint(double mass, bool largest) const;

  std::vector<EntryMass> runs_;
  double error_;
};

/// From the point `begin` to the point `end`.
struct Rectangle {
  std::pair<double, double> begin, end;
};
using MeanAt = std::function<double(double first, double second)>;
/// True only if the rectangle is covered by parts, each with most(end) / least(begin) < known. Neither function may
/// decrease in either argument. False if that takes too many parts.
bool is_below_on(const Rectangle& whole, const MeanAt& most, const MeanAt& least, double known);

/// Returns a double that is at most a finite ratio, which is infinite as a double above 2^1000.
inline double rounded_down(const Ratio& ratio) { return std::min(ratio.value.approx(), 0x1p1000) * (1 - 0x1p-40); }

/// The line with the largest quotient among those offered, and an identifier of it.
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
  /// Returns the weight of the line's end for a member that shows the quotient.
  Number weight() const { return weight_that_shows(*best_, begin_, end_); }
  /// Returns true if some prior on the line has the largest quotient, even if its weight is irrational.
  bool is_attained() const { return best_->attained; }
  /// Returns true if the member at weight() has the largest quotient.
  bool attains() const { return best_->attained && best_->at.is_number(); }
  /// Returns the member that shows the quotient. at(w): the member at weight w of the line's end.
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
