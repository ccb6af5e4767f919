// Bounds for every cell of a prior.
//
// Let U(s) be the most that P(output and from) can be when `from` has mass s, D(t) the least that P(output and to) can
// be with mass t: cells are filled greedily, so U is concave, D convex, both linear piece by piece. The other labels
// take what lies in an interval, so s + t lies in one. U(s)/s rises to a peak and falls, t/D(t) likewise. If both peaks
// go together, that is the largest quotient; else it lies on the end of the interval of s + t that is nearer to them,
// since moving towards the peaks until that line is met lowers neither factor. On the line both are linear piece by
// piece.
#include <algorithm>

#include "verifier/sets/kinds.h"
#include "verifier/sets/member.h"

namespace oddsbound::sets {

namespace {

class IntervalSearch final : public SetSearch {
 public:
  using Cells = std::vector<std::vector<Number>>;  // per label and place
  IntervalSearch(Cells lower, Cells upper, const LabelledInputs& inputs)
      : lower_(std::move(lower)), upper_(std::move(upper)), inputs_(inputs) {
    for (std::size_t label = 0; label < inputs_.inputs.size(); ++label) {
      least_.push_back(sum_of(lower_[label]));
      most_.push_back(sum_of(upper_[label]));
    }
  }

  void look_at(const LabelledColumn& column) override {
    column_ = &column;
    likeliest_first_.clear();
    least_likely_first_.clear();
    for (std::size_t label = 0; label < inputs_.inputs.size(); ++label) {
      std::vector<std::size_t> order = places_by_entry(column, label);
      least_likely_first_.emplace_back(order, column.entries[label], lower_[label], upper_[label]);
      std::reverse(order.begin(), order.end());
      likeliest_first_.emplace_back(order, column.entries[label], lower_[label], upper_[label]);
    }
  }

  std::optional<Ratio> largest(std::size_t from, std::size_t to) override { return best_line(from, to).ratio(); }

  Member member(std::size_t from, std::size_t to) override {
    const auto best = best_line(from, to);
    const Number w = best.weight();
    const Number s = best.where().begin.first + w * (best.where().end.first - best.where().begin.first);
    const Number t = best.where().begin.second + w * (best.where().end.second - best.where().begin.second);
    MemberBuilder builder;
    Number rest = Number(1) - s - t;
    for (std::size_t label = 0; label < inputs_.inputs.size(); ++label) {
      if (label != from && label != to) rest -= least_[label];
    }
    for (std::size_t label = 0; label < inputs_.inputs.size(); ++label) {
      Number more = rest;
      std::vector<std::size_t> order = likeliest_first_[from].order;
      if (label == from) more = s - least_[from];
      if (label == to) {
        more = t - least_[to];
        order = least_likely_first_[to].order;
      }
      if (label != from && label != to) order = least_likely_first_[label].order;
      const Number unplaced = fill(label, order, more, builder);
      if (label != from && label != to) rest = unplaced;
    }
    return builder.finish(best.attains());
  }

 private:
  struct Segment {
    std::pair<Number, Number> begin, end;  // s and t
  };

  // Returns what finds no room.
  Number fill(std::size_t label, const std::vector<std::size_t>& order, Number more, MemberBuilder& builder) const {
    for (const std::size_t place : order) {
      const Number added = std::min(more, upper_[label][place] - lower_[label][place]);
      more -= added;
      builder.add(inputs_.inputs[label][place], lower_[label][place] + added);
    }
    return more;
  }

  // Where joint / mass is largest (or smallest), among the points that have mass.
  static Number peak_of(const Filling& filling, bool largest) {
    std::optional<std::size_t> peak;
    for (std::size_t k = 0; k < filling.masses.size(); ++k) {
      if (filling.masses[k].is_zero()) continue;
      if (peak) {
        const auto order =
            compare_products(filling.joints[k], filling.masses[*peak], filling.joints[*peak], filling.masses[k]);
        if (largest ? order <= 0 : order >= 0) continue;
      }
      peak = k;
    }
    return filling.masses[*peak];
  }

  BestLine<Segment> best_line(std::size_t from, std::size_t to) const {
    BestLine<Segment> best;
    const Filling& up = likeliest_first_[from];
    const Filling& down = least_likely_first_[to];
    if (up.most().is_zero() || down.most().is_zero()) return best;
    Number most_in_both(1), least_in_both(1);
    for (std::size_t label = 0; label < least_.size(); ++label) {
      if (label == from || label == to) continue;
      most_in_both -= least_[label];
      least_in_both -= most_[label];
    }
    const auto offer = [&](const Number& s0, const Number& t0, const Number& s1, const Number& t1) {
      best.offer({up.joint_at(s0), s0, down.joint_at(t0), t0}, {up.joint_at(s1), s1, down.joint_at(t1), t1},
                 {{s0, t0}, {s1, t1}});
    };
    const Number s = peak_of(up, true);
    const Number t = peak_of(down, false);
    if (least_in_both <= s + t && s + t <= most_in_both) {
      offer(s, t, s, t);
      return best;
    }
    const Number both = s + t > most_in_both ? most_in_both : least_in_both;
    const Number first = std::max(up.least(), both - down.most());
    const Number last = std::min(up.most(), both - down.least());
    std::vector<Number> points{first, last};
    const auto add = [&](const Number& point) {
      if (first < point && point < last) points.push_back(point);
    };
    for (const Number& mass : up.masses) add(mass);
    for (const Number& mass : down.masses) add(both - mass);
    std::sort(points.begin(), points.end());
    for (std::size_t k = 1; k < points.size(); ++k) {
      offer(points[k - 1], both - points[k - 1], points[k], both - points[k]);
    }
    return best;
  }

  const Cells lower_, upper_;
  const LabelledInputs& inputs_;
  std::vector<Number> least_, most_;  // masses of labels
  const LabelledColumn* column_ = nullptr;
  std::vector<Filling> likeliest_first_, least_likely_first_;
};

class IntervalSet final : public PriorSet {
 public:
  IntervalSet(std::vector<Number> lower, std::vector<Number> upper)
      : lower_(std::move(lower)), upper_(std::move(upper)) {}
  std::string words() const override { return "priors whose cells lie within the stated bounds"; }
  std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget&) const override {
    const auto by_label = [&](const std::vector<Number>& cells) {
      IntervalSearch::Cells labelled;
      for (const auto& of_label : question.inputs.inputs) {
        auto& mine = labelled.emplace_back();
        for (const std::uint64_t x : of_label) mine.push_back(cells[x]);
      }
      return labelled;
    };
    return std::make_unique<IntervalSearch>(by_label(lower_), by_label(upper_), question.inputs);
  }
  std::vector<SetDefinition> definitions(const SetQuestion&, Budget&) const override {
    SetDefinition definition = SetDefinition::of_cells(lower_.size());
    definition.normalize();
    for (std::size_t x = 0; x < lower_.size(); ++x) {
      definition.at_most({{x, Number(-1)}}, -lower_[x]);
      definition.at_most({{x, Number(1)}}, upper_[x]);
    }
    return {definition};
  }

 private:
  std::vector<Number> lower_, upper_;
};

}  // namespace

PriorSetPtr within_intervals(std::vector<Number> lower, std::vector<Number> upper) {
  return std::make_shared<IntervalSet>(std::move(lower), std::move(upper));
}

}  // namespace oddsbound::sets
