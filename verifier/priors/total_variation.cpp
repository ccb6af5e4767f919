// A ball of total variation distance around a center.
//
// A member moves a mass of at most r. Mass s of it is added to `from` where the output is most likely, and r - s to
// `to` where it is least likely. x is taken from `from`, its least likely inputs first, and r - x from `to`, its
// most likely inputs first. The probabilities taken away are C(x), convex, and D(r - x), concave; both are
// piecewise linear. For a fixed s - x both masses are fixed, the numerator is concave and the denominator convex
// in s, and both are piecewise linear. So the quotient is largest at a breakpoint of one of them or at an end.
// Lines remain: one along s for each breakpoint x, and for s = 0 and s = r one along x for each piece.

#include <algorithm>
#include <iterator>

#include "verifier/exact/interval.h"
#include "verifier/priors/member.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::priors {

namespace {

class BallSearch final : public SetSearch {
 public:
  BallSearch(Center center, const ColumnInputs& inputs, Number radius)
      : center_(std::move(center)), inputs_(inputs), radius_(std::move(radius)) {}

  void look_at(const LabelledColumn& column) override {
    column_ = &column;
    lowest_.clear();
    highest_.clear();
    for (std::size_t label = 0; label < inputs_.inputs.size(); ++label) {
      const std::vector<Number> nothing(center_.cells[label].size());
      std::vector<std::size_t> order = places_by_entry(column, label);
      lowest_.emplace_back(order, column.entries[label], nothing, center_.cells[label]);
      std::reverse(order.begin(), order.end());
      highest_.emplace_back(order, column.entries[label], nothing, center_.cells[label]);
    }
  }

  std::optional<Ratio> largest(std::size_t from, std::size_t to) override {
    if (replaces_all(from, to)) return Ratio::of(column_->largest(from), column_->smallest(to));
    return best_line(from, to).ratio();
  }

  Member member(std::size_t from, std::size_t to) override {
    if (replaces_all(from, to))
      return member_at(from, to, {radius_ / Number(2), center_.masses[from]}, center_.masses[to]);
    const BestLine<Segment> best = best_line(from, to);
    return best.shown([&](const Number& w) {
      const Point at = best.where().at(w);
      return member_at(from, to, at, radius_ - at.taken);
    });
  }

 private:
  // The mass added to `from`, and the mass taken from it.
  struct Point {
    Number added, taken;
  };
  struct Segment {
    Point begin, end;
    Point at(const Number& w) const {
      const Number rest = Number(1) - w;
      return {rest * begin.added + w * end.added, rest * begin.taken + w * end.taken};
    }
  };

  Member member_at(std::size_t from, std::size_t to, const Point& at, const Number& taken_to) const {
    MemberBuilder builder;
    Number elsewhere = radius_ - at.taken - taken_to;
    for (std::size_t label = 0; label < inputs_.inputs.size(); ++label) {
      std::vector<Number> cells = center_.cells[label];
      if (label == from) take(cells, lowest_[from], at.taken);
      if (label == to) take(cells, highest_[to], taken_to);
      for (std::size_t place = 0; place < cells.size(); ++place) {
        if (label != from && label != to) {
          const Number less = std::min(cells[place], elsewhere);
          cells[place] -= less;
          elsewhere -= less;
        }
        builder.add(inputs_.inputs[label][place], cells[place]);
      }
    }
    builder.add(inputs_.inputs[from][column_->extremes[from].largest], at.added);
    builder.add(inputs_.inputs[to][column_->extremes[to].smallest], radius_ - at.added);
    return builder.finish();
  }

  void take(std::vector<Number>& cells, const Filling& removal, Number mass) const {
    for (const std::size_t place : removal.order) {
      const Number less = std::min(cells[place], mass);
      cells[place] -= less;
      mass -= less;
    }
  }

  // True if the radius suffices to replace all mass of both labels.
  bool replaces_all(std::size_t from, std::size_t to) const {
    return !radius_.is_zero() && center_.masses[from] + center_.masses[to] <= radius_;
  }
  JointMasses forms_at(std::size_t from, std::size_t to, const Point& at) const {
    const Number added_to = radius_ - at.added;
    const Number taken_to = radius_ - at.taken;
    return {lowest_[from].joints.back() + at.added * column_->largest(from) - lowest_[from].joint_at(at.taken),
            center_.masses[from] + at.added - at.taken,
            highest_[to].joints.back() + added_to * column_->smallest(to) - highest_[to].joint_at(taken_to),
            center_.masses[to] + added_to - taken_to};
  }

  BestLine<Segment> best_line(std::size_t from, std::size_t to) const {
    const Number first = std::max(Number(0), radius_ - center_.masses[to]);
    const Number last = std::min(radius_, center_.masses[from]);
    std::vector<Number> taken{first, last};
    const auto add = [&](const Number& x) {
      if (first < x && x < last) taken.push_back(x);
    };
    for (const Number& mass : lowest_[from].masses) add(mass);
    for (const Number& mass : highest_[to].masses) add(radius_ - mass);
    std::sort(taken.begin(), taken.end());
    BestLine<Segment> best;
    const auto offer = [&](const Point& begin, const Point& end) {
      best.offer(forms_at(from, to, begin), forms_at(from, to, end), {begin, end});
    };
    for (std::size_t k = 0; k < taken.size(); ++k) {
      offer({Number(0), taken[k]}, {radius_, taken[k]});
      if (k == 0) continue;
      for (const Number& added : {Number(0), radius_}) offer({added, taken[k - 1]}, {added, taken[k]});
    }
    return best;
  }

  const Center center_;
  const ColumnInputs& inputs_;
  const Number radius_;
  const LabelledColumn* column_ = nullptr;
  std::vector<Filling> lowest_, highest_;  // the order of removal from each label, either way
};

// Cuts of the part of the radius that is added to `from`, and of the part that is taken from it.
constexpr double kAdded[] = {0, 1.0 / 64, 1.0 / 16, 1.0 / 4, 1.0 / 2, 3.0 / 4, 15.0 / 16, 63.0 / 64, 1};
constexpr double kTaken[] = {0, 1.0 / 4, 1.0 / 2, 3.0 / 4, 1};
constexpr std::size_t kAddedParts = std::size(kAdded) - 1;
constexpr std::size_t kTakenParts = std::size(kTaken) - 1;

// The mean given `from` increases with the mass added to it and with the mass taken from it; the mean given `to`
// decreases.
class BallBounds final : public MeanBounds {
 public:
  BallBounds(const Center& center, const Number& radius) : center_(center.rounded()), radius_(rounded_mass(radius)) {
    for (const Number& mass : center.masses) {
      std::vector<double>& mine = left_.emplace_back();
      for (const double cut : kTaken) {
        const Number taken = radius * exact::number_of(cut);
        mine.push_back(taken < mass ? rounded_mass(mass - taken) : 0);
      }
    }
  }

  std::size_t parts() const override { return radius_ == 0 ? 1 : kAddedParts * kTakenParts; }

  double most(std::size_t part, std::size_t label, std::span<const double> column, double elsewhere) const override {
    const double added = radius_ * kAdded[part % kAddedParts + 1];
    const double left = radius_ == 0 ? center_.masses[label] : left_[label][part / kAddedParts + 1];
    if (left + added == 0) return radius_ == 0 ? 0 : elsewhere;
    // The entry kept last is the smallest, so the error of its mass from the rounding of others adds little.
    double kept = 0, joint = 0;
    for (const EntryMass& next : by_entry(center_.cells[label], column, true)) {
      const double mass = std::min(next.mass, left - kept);
      if (!(mass > 0)) break;
      kept += mass;
      joint += mass * next.entry;
    }
    return (joint + (added == 0 ? 0 : added * elsewhere)) / (left + added);
  }

  void least(std::size_t label, std::span<const double> column, double elsewhere,
             std::span<double> by_part) const override {
    if (radius_ == 0 && center_.masses[label] == 0) return std::fill(by_part.begin(), by_part.end(), kNoMean);
    const std::span<const EntryMass> entries = by_entry(center_.cells[label], column, false);
    const std::size_t taken_parts = radius_ == 0 ? 1 : kTakenParts;
    for (std::size_t t = 0; t < taken_parts; ++t) {
      // kTaken is symmetric about 1/2.
      const double left = radius_ == 0 ? center_.masses[label] : left_[label][kTakenParts - t];
      const double joint = least_joint(entries, left);
      for (std::size_t a = 0; a < by_part.size() / taken_parts; ++a) {
        const double added = radius_ * (1 - kAdded[a]);
        by_part[t * kAddedParts + a] = left + added == 0 ? elsewhere : (joint + added * elsewhere) / (left + added);
      }
    }
  }

 private:
  // Returns the joint of this mass on the smallest entries. The last entry may be by far the largest, and its mass
  // a rounding residue, so the mass is reduced by `doubt`.
  static double least_joint(std::span<const EntryMass> entries, double left) {
    const double doubt = left * static_cast<double>(entries.size() + 1) * 0x1p-51;
    double kept = 0, joint = 0;
    for (const EntryMass& next : entries) {
      const bool last = next.mass >= left - kept - doubt;
      const double mass = last ? left - kept - doubt : next.mass;
      if (!(mass > 0)) break;
      joint += mass * next.entry;
      kept += mass;
      if (last) break;
    }
    return joint;
  }

  const RoundedCells center_;
  const double radius_;
  std::vector<std::vector<double>> left_;  // per label and cut: the mass left after the removal
};

}  // namespace

PriorSetPtr total_variation_ball(Prior center, const Number& radius) {
  std::string words = "priors within a total variation of " + radius.to_string() + " of the spec's";
  const auto search = [radius](Center around, const ColumnInputs& inputs) {
    return std::make_unique<BallSearch>(std::move(around), inputs, radius);
  };
  const auto define = [radius](const std::vector<Number>& cells) {
    SetDefinition definition = SetDefinition::of_cells(cells.size());
    definition.normalize();
    std::vector<std::pair<SetDefinition::Form, Number>> differences;
    for (std::size_t x = 0; x < cells.size(); ++x) differences.emplace_back(definition.cells[x], cells[x]);
    definition.distances_at_most(differences, Number(2) * radius);
    return definition;
  };
  const auto bounds = [radius](const Center& around) { return std::make_unique<BallBounds>(around, radius); };
  return set_around(std::move(center), std::move(words), search, define, {true, bounds});
}

}  // namespace oddsbound::priors
