// Neighborhoods of a prior: contamination, and balls of total variation distance.
//
// Contamination: a center that is wrong for a fraction r of the people.
//
// The set is the convex hull of (1 - r) center + r (one input). Let s be the wrong mass on `from`. It is best put
// on the input where the output is most likely, and the mass on `to` where the output is least likely; mass
// elsewhere is wasted. So the largest quotient lies on the line from s = 0 to s = r, with r - s on `to`. One line
// search per pair of labels.
#include <algorithm>
#include <iterator>

#include "verifier/exact/interval.h"
#include "verifier/priors/member.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::priors {

namespace {

// Cuts of the fraction of wrong mass on `from`, finer towards both ends.
constexpr double kCuts[] = {0,         1.0 / 256, 1.0 / 64,  1.0 / 32,  1.0 / 16,  2.0 / 16,    3.0 / 16,  4.0 / 16,
                            5.0 / 16,  6.0 / 16,  7.0 / 16,  8.0 / 16,  9.0 / 16,  10.0 / 16,   11.0 / 16, 12.0 / 16,
                            13.0 / 16, 14.0 / 16, 15.0 / 16, 31.0 / 32, 63.0 / 64, 255.0 / 256, 1};

// The mean given `from` increases with the wrong mass on it, and the mean given `to` decreases with the wrong mass
// on it.
class ContaminatedBounds final : public MeanBounds {
 public:
  ContaminatedBounds(RoundedCells center, double share, double rest, Support support)
      : center_(std::move(center)), share_(share), rest_(rest), support_(support) {}

  std::size_t parts() const override { return share_ == 0 ? 1 : std::size(kCuts) - 1; }
  double most(std::size_t part, std::size_t label, std::span<const double> column, double elsewhere) const override {
    if (!may_have_mass(label)) return 0;
    const double wrong = share_ * kCuts[part + 1];
    return mean(label, kept_joint(label, column), wrong, extreme(label, column, elsewhere, true));
  }
  void least(std::size_t label, std::span<const double> column, double elsewhere,
             std::span<double> by_part) const override {
    if (!may_have_mass(label)) return std::fill(by_part.begin(), by_part.end(), kNoMean);
    const double smallest = extreme(label, column, elsewhere, false);
    const double joint = kept_joint(label, column);
    for (std::size_t part = 0; part < by_part.size(); ++part) {
      by_part[part] = mean(label, joint, share_ * (1 - kCuts[part]), smallest);
    }
  }

  std::optional<Weighted> above(std::size_t part, std::size_t label) const override {
    return weighted(label, share_ * kCuts[share_ == 0 ? part : part + 1]);
  }
  std::optional<Weighted> below(std::size_t part, std::size_t label) const override {
    return weighted(label, share_ * (1 - kCuts[part]));
  }

  double kept_joint(std::size_t label, std::span<const double> column) const {
    return rest_ == 0 ? 0 : rest_ * sum_over(center_.cells[label], column);
  }
  double mean(std::size_t label, double joint, double wrong, double entry) const {
    const double kept = rest_ * center_.masses[label];
    if (kept + wrong == 0) return entry;
    return (joint + (wrong == 0 ? 0 : wrong * entry)) / (kept + wrong);
  }
  double share() const { return share_; }

 private:
  bool may_have_mass(std::size_t label) const {
    return center_.masses[label] != 0 || (support_ == Support::kDomain && share_ != 0);
  }
  // The mean with this mass on the extreme entry, which is `elsewhere` unless the wrong mass is on inputs of the
  // center.
  std::optional<Weighted> weighted(std::size_t label, double wrong) const {
    if (!may_have_mass(label)) return Weighted{{}, 0, true};
    const double mass = rest_ * center_.masses[label] + wrong;
    if (mass == 0 || (wrong != 0 && support_ == Support::kCenter)) return std::nullopt;
    Weighted sum{center_.cells[label], wrong / mass};
    for (double& weight : sum.places) weight *= rest_ / mass;
    return sum;
  }
  double extreme(std::size_t label, std::span<const double> column, double elsewhere, bool largest) const {
    if (support_ == Support::kDomain) return elsewhere;
    double found = largest ? 0 : kNoMean;
    for (std::size_t k = 0; k < column.size(); ++k) {
      if (center_.cells[label][k] != 0) found = largest ? std::max(found, column[k]) : std::min(found, column[k]);
    }
    return found;
  }

  const RoundedCells center_;
  const double share_, rest_;
  const Support support_;
};

class ContaminatedSearch final : public SetSearch {
 public:
  ContaminatedSearch(Center center, const ColumnInputs& inputs, Number share, Support support)
      : center_(std::move(center)),
        inputs_(inputs),
        share_(std::move(share)),
        support_(support),
        bounds_(if_in_range([&] {
          return ContaminatedBounds(center_.rounded(), rounded_mass(share_), rounded_mass(Number(1) - share_),
                                    support_);
        })) {}

  void look_at(const LabelledColumn& column) override {
    column_ = &column;
    joints_.assign(center_.masses.size(), std::nullopt);
    rounded_joints_.assign(center_.masses.size(), std::nullopt);
    entries_.look_at(column);
    if (support_ == Support::kCenter) extremes_ = extremes_within_support();
  }

  // The mean given `from` increases with the wrong mass on it, and so does the mean given `to`, which has less of it.
  bool is_at_most(std::size_t from, std::size_t to, const Ratio& known) override {
    if (!bounds_ || known.infinite || share_ == Number(1)) return false;
    if (center_.masses[from].is_zero() || center_.masses[to].is_zero()) return false;
    const std::span<const double> high = entries_.of(from), low = entries_.of(to);
    if (high.empty() || low.empty()) return false;
    const auto& extremes = support_ == Support::kCenter ? extremes_ : column_->extremes;
    const double wrong = bounds_->share();
    const double error = static_cast<double>(high.size() + low.size() + 8) * 0x1p-48;
    const double joint_from = rounded_joint(from, high), joint_to = rounded_joint(to, low);
    const double largest = high[extremes[from].largest], smallest = low[extremes[to].smallest];
    return is_below_on(
        {{0, 0}, {1, 0}}, [&](double w, double) { return bounds_->mean(from, joint_from, wrong * w, largest); },
        [&](double w, double) { return bounds_->mean(to, joint_to, wrong * (1 - w), smallest); },
        rounded_down(known) * (1 - error));
  }

  std::optional<Ratio> largest(std::size_t from, std::size_t to) override { return line(from, to).ratio(); }

  Member member(std::size_t from, std::size_t to) override {
    return line(from, to).shown([&](const Number& w) { return member_at(from, to, w); });
  }

 private:
  // w: the fraction of the wrong mass that is on `from`.
  Member member_at(std::size_t from, std::size_t to, const Number& w) const {
    const Number on_from = share_ * w;
    MemberBuilder builder;
    for (std::size_t label = 0; label < inputs_.inputs.size(); ++label) {
      for (std::size_t place = 0; place < inputs_.inputs[label].size(); ++place) {
        builder.add(inputs_.inputs[label][place], (Number(1) - share_) * center_.cells[label][place]);
      }
    }
    const auto& extremes = support_ == Support::kCenter ? extremes_ : column_->extremes;
    builder.add(inputs_.inputs[from][extremes[from].largest], on_from);
    builder.add(inputs_.inputs[to][extremes[to].smallest], share_ - on_from);
    return builder.finish();
  }

  // Labels without mass in the center get no extremes and are not compared.
  std::vector<LabelledColumn::Extremes> extremes_within_support() const {
    std::vector<LabelledColumn::Extremes> extremes(inputs_.inputs.size());
    for (std::size_t label = 0; label < extremes.size(); ++label) {
      const std::vector<Number>& entries = column_->entries[label];
      bool first = true;
      for (std::size_t place = 0; place < entries.size(); ++place) {
        if (center_.cells[label][place].is_zero()) continue;
        auto& [largest, smallest] = extremes[label];
        if (first || entries[place] > entries[largest]) largest = place;
        if (first || entries[place] < entries[smallest]) smallest = place;
        first = false;
      }
    }
    return extremes;
  }

  // The line from s = 0 to s = share_.
  BestLine<int> line(std::size_t from, std::size_t to) {
    BestLine<int> best;
    const bool within = support_ == Support::kCenter;
    if (within && (center_.masses[from].is_zero() || center_.masses[to].is_zero())) return best;
    const auto& extremes = within ? extremes_ : column_->extremes;
    const Number& high = column_->entries[from][extremes[from].largest];
    const Number& low = column_->entries[to][extremes[to].smallest];
    const Number rest = Number(1) - share_;
    const JointMasses kept{rest * joint_of(from), rest * center_.masses[from], rest * joint_of(to),
                           rest * center_.masses[to]};
    JointMasses begin = kept;
    begin.p_to += share_ * low;
    begin.mass_to += share_;
    JointMasses end = kept;
    end.p_from += share_ * high;
    end.mass_from += share_;
    best.offer(begin, end, 0);
    return best;
  }

  double rounded_joint(std::size_t label, std::span<const double> entries) {
    if (!rounded_joints_[label]) rounded_joints_[label] = bounds_->kept_joint(label, entries);
    return *rounded_joints_[label];
  }
  const Number& joint_of(std::size_t label) {
    if (!joints_[label]) joints_[label] = center_.joint(*column_, label);
    return *joints_[label];
  }

  const Center center_;
  const ColumnInputs& inputs_;
  const Number share_;
  const Support support_;
  const std::optional<ContaminatedBounds> bounds_;
  const LabelledColumn* column_ = nullptr;
  RoundedEntries entries_;
  // By label, computed on demand.
  std::vector<std::optional<Number>> joints_;
  std::vector<std::optional<double>> rounded_joints_;
  std::vector<LabelledColumn::Extremes> extremes_;  // within the support of the center
};

}  // namespace

PriorSetPtr contaminated(Prior center, const Number& share, Support support) {
  std::string words = "priors that are the spec's but for a fraction of " + share.to_string() +
                      (support == Support::kCenter ? " among inputs that have mass" : "");
  const auto search = [share, support](Center around, const ColumnInputs& inputs) {
    return std::make_unique<ContaminatedSearch>(std::move(around), inputs, share, support);
  };
  const auto define = [share, support](const std::vector<Number>& cells) {
    SetDefinition definition = SetDefinition::of_cells(cells.size());
    definition.normalize();
    for (std::size_t x = 0; x < cells.size(); ++x) {
      const Number kept = (Number(1) - share) * cells[x];
      definition.at_most({{x, Number(-1)}}, -kept);
      if (support == Support::kCenter && cells[x].is_zero()) definition.equal({{x, Number(1)}}, Number(0));
    }
    return definition;
  };
  const auto bounds = [share, support](const Center& around) {
    return std::make_unique<ContaminatedBounds>(around.rounded(), rounded_mass(share), rounded_mass(Number(1) - share),
                                                support);
  };
  return set_around(std::move(center), std::move(words), search, define, {support == Support::kDomain, bounds});
}

// A ball of total variation distance around a center.
//
// A member moves a mass of at most r. Mass s of it is added to `from` where the output is most likely, and r - s to
// `to` where it is least likely. x is taken from `from`, its least likely inputs first, and r - x from `to`, its
// most likely inputs first. The probabilities taken away are C(x), convex, and D(r - x), concave; both are
// piecewise linear. For a fixed s - x both masses are fixed, the numerator is concave and the denominator convex
// in s, and both are piecewise linear. So the quotient is largest at a breakpoint of one of them or at an end.
// Lines remain: one along s for each breakpoint x, and for s = 0 and s = r one along x for each piece.

namespace {

class BallSearch final : public SetSearch {
 public:
  BallSearch(Center center, const ColumnInputs& inputs, Number radius)
      : center_(std::move(center)), inputs_(inputs), radius_(std::move(radius)), rounded_(if_in_range([&] {
          return RoundedBall{center_.rounded(), rounded_mass(radius_)};
        })) {}

  void look_at(const LabelledColumn& column) override {
    column_ = &column;
    entries_.look_at(column);
    runs_.assign(inputs_.inputs.size(), std::nullopt);
    lowest_.assign(inputs_.inputs.size(), std::nullopt);
    highest_.assign(inputs_.inputs.size(), std::nullopt);
  }

  // Both means increase with the mass that is added to `from`, and with the mass that is taken from it: then less of
  // both is left for `to`.
  bool is_at_most(std::size_t from, std::size_t to, const Ratio& known) override {
    if (!rounded_ || known.infinite || radius_.is_zero() || replaces_all(from, to)) return false;
    const std::span<const double> high = entries_.of(from), low = entries_.of(to);
    if (high.empty() || low.empty()) return false;
    const RoundedRuns &runs_from = runs(from, high), &runs_to = runs(to, low);
    const double radius = rounded_->radius;
    const double mass_from = rounded_->cells.masses[from], mass_to = rounded_->cells.masses[to];
    const double largest = high[column_->extremes[from].largest], smallest = low[column_->extremes[to].smallest];
    const double slack_from = 4 * runs_from.error() * (mass_from + radius);
    const double slack_to = 4 * runs_to.error() * (mass_to + radius);
    const auto most = [&](double added, double taken) {
      const double kept = mass_from - taken;
      const double mass = kept + added - slack_from;
      const double joint = runs_from.largest(kept + slack_from) + (slack_from + added) * largest;
      return mass > 0 ? std::min(largest, joint / mass) : largest;
    };
    const auto least = [&](double added, double taken) {
      // Never negative but for rounding, which could exceed all of a small mass.
      const double kept = std::max(0.0, mass_to - (radius - taken));
      const double mass = kept + (radius - added) + slack_to;
      const double joint = runs_to.smallest(kept - slack_to) - slack_to * runs_to.most() + (radius - added) * smallest;
      return mass > 0 ? std::max(smallest, joint / mass) : smallest;
    };
    const Rectangle masses{{0, std::max(0.0, radius - mass_to - slack_to)}, {radius, std::min(radius, mass_from)}};
    return is_below_on(masses, most, least, rounded_down(known) * (1 - 8 * (runs_from.error() + runs_to.error())));
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
      if (label == from) take(cells, lowest(from), at.taken);
      if (label == to) take(cells, highest(to), taken_to);
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
    return {lowest(from).joints.back() + at.added * column_->largest(from) - lowest(from).joint_at(at.taken),
            center_.masses[from] + at.added - at.taken,
            highest(to).joints.back() + added_to * column_->smallest(to) - highest(to).joint_at(taken_to),
            center_.masses[to] + added_to - taken_to};
  }

  BestLine<Segment> best_line(std::size_t from, std::size_t to) const {
    const Number first = std::max(Number(0), radius_ - center_.masses[to]);
    const Number last = std::min(radius_, center_.masses[from]);
    std::vector<Number> taken{first, last};
    const auto add = [&](const Number& x) {
      if (first < x && x < last) taken.push_back(x);
    };
    for (const Number& mass : lowest(from).masses) add(mass);
    for (const Number& mass : highest(to).masses) add(radius_ - mass);
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

  const RoundedRuns& runs(std::size_t label, std::span<const double> entries) {
    std::optional<RoundedRuns>& mine = runs_[label];
    return mine ? *mine : mine.emplace(rounded_->cells.cells[label], entries);
  }

  const Filling& lowest(std::size_t label) const { return filling(lowest_[label], label, false); }
  const Filling& highest(std::size_t label) const { return filling(highest_[label], label, true); }
  const Filling& filling(std::optional<Filling>& known, std::size_t label, bool reversed) const {
    if (known) return *known;
    std::vector<std::size_t> order = places_by_entry(*column_, label);
    if (reversed) std::reverse(order.begin(), order.end());
    const std::vector<Number> nothing(center_.cells[label].size());
    return known.emplace(std::move(order), column_->entries[label], nothing, center_.cells[label]);
  }

  const Center center_;
  const ColumnInputs& inputs_;
  const Number radius_;
  struct RoundedBall {
    RoundedCells cells;
    double radius;
  };

  const std::optional<RoundedBall> rounded_;
  const LabelledColumn* column_ = nullptr;
  RoundedEntries entries_;
  std::vector<std::optional<RoundedRuns>> runs_;  // by label, computed on demand
  // The order of removal from each label, either way; computed on demand.
  mutable std::vector<std::optional<Filling>> lowest_, highest_;
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
