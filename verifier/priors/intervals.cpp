// Priors with lower and upper bounds for every cell.
//
// Let U(s) be the largest P(output and from) if `from` has mass s, and D(t) the smallest P(output and to) if `to`
// has mass t. Cells are filled greedily, so U is concave, D is convex, and both are piecewise linear. The other
// labels have a mass in an interval, so s + t lies in an interval. U(s) / s increases to a peak and then
// decreases, and so does t / D(t). If both peaks together are feasible, they give the largest quotient. Otherwise
// it is on the end of the interval of s + t that is nearer to them, because moving towards the peaks until that
// line is met decreases neither factor. On that line both functions are piecewise linear: one line search per
// piece.
#include <algorithm>
#include <optional>

#include "verifier/priors/member.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::priors {

namespace {

class IntervalSearch final : public SetSearch {
 public:
  using Cells = std::vector<std::vector<Number>>;  // per label and place
  IntervalSearch(Cells lower, Cells upper, const ColumnInputs& inputs)
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
    return best.shown([&](const Number& w) { return member_at(from, to, best.where(), w); });
  }

 private:
  struct Segment {
    std::pair<Number, Number> begin, end;  // s and t
  };

  Member member_at(std::size_t from, std::size_t to, const Segment& line, const Number& w) const {
    const Number s = line.begin.first + w * (line.end.first - line.begin.first);
    const Number t = line.begin.second + w * (line.end.second - line.begin.second);
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
    return builder.finish();
  }

  // Returns the mass that does not fit.
  Number fill(std::size_t label, const std::vector<std::size_t>& order, Number more, MemberBuilder& builder) const {
    for (const std::size_t place : order) {
      const Number added = std::min(more, upper_[label][place] - lower_[label][place]);
      more -= added;
      builder.add(inputs_.inputs[label][place], lower_[label][place] + added);
    }
    return more;
  }

  // Returns the mass at which joint / mass is largest (or smallest), among breakpoints with positive mass.
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
  const ColumnInputs& inputs_;
  std::vector<Number> least_, most_;  // masses of labels
  const LabelledColumn* column_ = nullptr;
  std::vector<Filling> likeliest_first_, least_likely_first_;
};

// The mean of a column is extreme at the peak of the filling, or at the end of the label's mass range nearest to
// the peak.
class IntervalBounds final : public MeanBounds {
 public:
  IntervalBounds(const IntervalSearch::Cells& lower, const IntervalSearch::Cells& upper) {
    IntervalSearch::Cells room = upper;
    std::vector<Number> least, most;
    for (std::size_t label = 0; label < lower.size(); ++label) {
      for (std::size_t place = 0; place < room[label].size(); ++place) room[label][place] -= lower[label][place];
      least.push_back(sum_of(lower[label]));
      most.push_back(sum_of(upper[label]));
    }
    lower_ = rounded_cells(lower, least);
    room_ = rounded_cells(room, most);
    masses_ = masses_by_part(least, most);
  }

  std::size_t parts() const override { return masses_.size(); }
  double most(std::size_t part, std::size_t label, std::span<const double> column, double) const override {
    return masses_[part][label].most == 0 ? 0 : extreme_mean(part, label, column, true);
  }
  void least(std::size_t label, std::span<const double> column, double, std::span<double> by_part) const override {
    for (std::size_t part = 0; part < masses_.size(); ++part) {
      by_part[part] = masses_[part][label].most == 0 ? kNoMean : extreme_mean(part, label, column, false);
    }
  }
  std::optional<Weighted> above(std::size_t part, std::size_t label) const override {
    const double mass = masses_[part][label].least - doubt(part, label);
    if (!(mass > 0)) return std::nullopt;
    Weighted sum{lower_.cells[label]};
    for (std::size_t k = 0; k < sum.places.size(); ++k) sum.places[k] = (sum.places[k] + room_.cells[label][k]) / mass;
    return sum;
  }
  std::optional<Weighted> below(std::size_t part, std::size_t label) const override {
    const double mass = masses_[part][label].most + doubt(part, label);
    if (!(mass > 0)) return std::nullopt;
    Weighted sum{lower_.cells[label]};
    for (double& weight : sum.places) weight /= mass;
    return sum;
  }

 private:
  struct Masses {
    double least, most;
  };
  using MassesByPart = std::vector<std::vector<Masses>>;

  // The mass ranges of the labels. For two labels, the range of the first is cut into parts, and the second has
  // the rest.
  static MassesByPart masses_by_part(const std::vector<Number>& least, const std::vector<Number>& most) {
    const Number in_all = sum_of(least), at_most = sum_of(most);
    std::vector<std::pair<Number, Number>> ends;
    for (std::size_t label = 0; label < least.size(); ++label) {
      ends.emplace_back(std::max(least[label], Number(1) - (at_most - most[label])),
                        std::min(most[label], Number(1) - (in_all - least[label])));
    }
    if (ends.size() != 2) {
      MassesByPart whole(1);
      for (const auto& [first, last] : ends) whole[0].push_back(rounded(first, last));
      return whole;
    }
    constexpr std::int64_t kParts = 16;
    MassesByPart parts;
    const Number width = ends[0].second - ends[0].first;
    for (std::int64_t part = 0; part < (width.is_zero() ? 1 : kParts); ++part) {
      const Number first = ends[0].first + width * Number::ratio(part, kParts);
      const Number last = width.is_zero() ? first : ends[0].first + width * Number::ratio(part + 1, kParts);
      parts.push_back({rounded(first, last), rounded(Number(1) - last, Number(1) - first)});
    }
    return parts;
  }
  static Masses rounded(const Number& first, const Number& last) { return {rounded_mass(first), rounded_mass(last)}; }

  // The rounding error of sums of masses.
  double doubt(std::size_t part, std::size_t label) const {
    return masses_[part][label].most * static_cast<double>(lower_.cells[label].size() + 4) * 0x1p-50;
  }
  double extreme_mean(std::size_t part, std::size_t label, std::span<const double> column, bool largest) const {
    double joint = sum_over(lower_.cells[label], column);
    double mass = lower_.masses[label];
    const std::span<const EntryMass> entries = by_entry(room_.cells[label], column, largest);
    // Widening the range loses nothing: the peak is at a breakpoint.
    const double first = masses_[part][label].least - doubt(part, label);
    const double last = masses_[part][label].most + doubt(part, label);
    double best = largest ? 0 : kNoMean;
    const auto consider = [&](double at, double joint_there) {
      if (at < first || at > last || at <= 0) return;
      best = largest ? std::max(best, joint_there / at) : std::min(best, joint_there / at);
    };
    consider(mass, joint);
    for (const EntryMass& next : entries) {
      for (const double end : {first, last}) {
        if (mass < end && end < mass + next.mass) consider(end, joint + (end - mass) * next.entry);
      }
      mass += next.mass;
      joint += next.mass * next.entry;
      consider(mass, joint);
      if (mass > last) break;
    }
    return best;
  }

  RoundedCells lower_, room_;
  MassesByPart masses_;  // by label
};

class IntervalSet final : public PriorSet {
 public:
  explicit IntervalSet(CellIntervals intervals) : intervals_(std::move(intervals)) {}
  std::string words() const override { return "priors whose cells lie within the stated bounds"; }
  std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget&) const override {
    return std::make_unique<IntervalSearch>(labelled(question, &CellBounds::lower),
                                            labelled(question, &CellBounds::upper), question.inputs);
  }
  std::vector<SetDefinition> definitions(const SetQuestion& question, Budget&) const override {
    SetDefinition definition = SetDefinition::of_cells(question.domain.inputs());
    definition.normalize();
    for (std::uint64_t x = 0; x < question.domain.inputs(); ++x) {
      const CellBounds& interval = intervals_.of(x);
      definition.at_most({{x, Number(-1)}}, -interval.lower);
      definition.at_most({{x, Number(1)}}, interval.upper);
    }
    return {definition};
  }

  std::optional<NamedInputs> named_inputs(Budget&) const override {
    if (!intervals_.others.upper.is_zero()) return std::nullopt;
    NamedInputs named;
    for (const auto& [input, interval] : intervals_.rows) {
      if (!interval.upper.is_zero()) named.rows.emplace_back(input, interval.lower + interval.upper);
    }
    return named;
  }
  std::unique_ptr<MeanBounds> bounds(const SetQuestion& question, Budget&) const override {
    return std::make_unique<IntervalBounds>(labelled(question, &CellBounds::lower),
                                            labelled(question, &CellBounds::upper));
  }

 private:
  IntervalSearch::Cells labelled(const SetQuestion& question, Number CellBounds::*bound) const {
    IntervalSearch::Cells cells;
    for (const auto& of_label : question.inputs.inputs) {
      auto& mine = cells.emplace_back();
      for (const std::uint64_t x : of_label) mine.push_back(intervals_.of(x).*bound);
    }
    return cells;
  }

  CellIntervals intervals_;
};

}  // namespace

const CellBounds& CellIntervals::of(std::uint64_t input) const {
  const CellBounds* own = find_row(rows, input);
  return own == nullptr ? others : *own;
}

PriorSetPtr within_intervals(CellIntervals intervals) { return std::make_shared<IntervalSet>(std::move(intervals)); }

// A center with every cell known up to a factor.
//
// Scaling all cells of a label changes no conditional probability, so the two labels decouple. P(output | from) is
// a mean of its entries with weights w * center. By an exchange argument it is largest if w = factor for the
// inputs where the output is most likely, and w = 1/factor for all others. So it suffices to try every cut of the
// sorted entries.

namespace {

// Bounds by these cuts. They hold for any column, so one part suffices.
class ReweightedBounds final : public MeanBounds {
 public:
  ReweightedBounds(RoundedCells center, double square) : center_(std::move(center)), square_(square) {}

  std::size_t parts() const override { return 1; }
  double most(std::size_t, std::size_t label, std::span<const double> column, double) const override {
    return center_.masses[label] == 0 ? 0 : extreme_mean(label, column, true);
  }
  void least(std::size_t label, std::span<const double> column, double, std::span<double> by_part) const override {
    by_part[0] = center_.masses[label] == 0 ? kNoMean : extreme_mean(label, column, false);
  }
  // Both sums of the mean are between those of the center and `square` times these.
  std::optional<Weighted> above(std::size_t, std::size_t label) const override { return weighted(label, square_); }
  std::optional<Weighted> below(std::size_t, std::size_t label) const override { return weighted(label, 1 / square_); }

 private:
  std::optional<Weighted> weighted(std::size_t label, double factor) const {
    if (center_.masses[label] == 0) return Weighted{{}, 0, true};
    Weighted sum{center_.cells[label]};
    for (double& weight : sum.places) weight *= factor / center_.masses[label];
    return sum;
  }
  double extreme_mean(std::size_t label, std::span<const double> column, bool most) const {
    const std::span<const EntryMass> entries = by_entry(center_.cells[label], column, most);
    thread_local std::vector<EntryMass> behind;  // joint and mass of the entries from here on
    behind.assign(entries.size() + 1, {0, 0});
    for (std::size_t k = entries.size(); k-- > 0;) {
      behind[k] = {behind[k + 1].entry + entries[k].entry * entries[k].mass, behind[k + 1].mass + entries[k].mass};
    }
    double best = behind[0].entry / behind[0].mass;
    double joint = 0, mass = 0;
    for (std::size_t k = 0; k < entries.size(); ++k) {
      joint += entries[k].entry * entries[k].mass;
      mass += entries[k].mass;
      const double mean = (square_ * joint + behind[k + 1].entry) / (square_ * mass + behind[k + 1].mass);
      if (most ? mean > best : mean < best) best = mean;
    }
    return best;
  }

  const RoundedCells center_;
  const double square_;  // the factor squared
};

class ReweightedSearch final : public SetSearch {
 public:
  ReweightedSearch(Center center, const ColumnInputs& inputs, Number factor)
      : center_(std::move(center)),
        inputs_(inputs),
        factor_(std::move(factor)),
        bounds_(if_in_range([&] { return ReweightedBounds(center_.rounded(), rounded_mass(factor_ * factor_)); })) {}

  void look_at(const LabelledColumn& column) override {
    column_ = &column;
    entries_.look_at(column);
    most_.assign(inputs_.inputs.size(), {});
    least_.assign(inputs_.inputs.size(), {});
  }

  bool is_at_most(std::size_t from, std::size_t to, const Ratio& known) override {
    if (!bounds_ || known.infinite) return false;
    const std::span<const double> high = entries_.of(from), low = entries_.of(to);
    if (high.empty() || low.empty()) return false;
    const double most = bounds_->most(0, from, high, kNoMean);
    double least = 0;
    bounds_->least(to, low, 0, {&least, 1});
    const double error = static_cast<double>(high.size() + low.size() + 8) * 0x1p-48;
    return most == 0 || (least > kLeastMean && most / least < rounded_down(known) * (1 - error));
  }

  std::optional<Ratio> largest(std::size_t from, std::size_t to) override {
    if (center_.masses[from].is_zero() || center_.masses[to].is_zero()) return std::nullopt;
    const Cut& most = cut(most_[from], from, true);
    const Cut& least = cut(least_[to], to, false);
    return Ratio::of(most.p * least.mass, least.p * most.mass);
  }

  Member member(std::size_t from, std::size_t to) override {
    MemberBuilder builder;
    for (std::size_t label = 0; label < inputs_.inputs.size(); ++label) {
      std::vector<Number> cells = center_.cells[label];
      if (label == from) raise(cells, cut(most_[from], from, true));
      if (label == to) raise(cells, cut(least_[to], to, false));
      for (std::size_t place = 0; place < cells.size(); ++place) {
        builder.add(inputs_.inputs[label][place], cells[place]);
      }
    }
    return builder.finish();
  }

 private:
  // The first `count` places of an order have weight factor_, the others 1/factor_. `p` and `mass` are stored
  // times factor_.
  struct Cut {
    std::vector<std::size_t> order;
    std::size_t count = 0;
    Number p, mass;
  };

  void raise(std::vector<Number>& cells, const Cut& cut) const {
    for (std::size_t k = 0; k < cut.order.size(); ++k) {
      Number& cell = cells[cut.order[k]];
      cell = k < cut.count ? cell * factor_ : cell / factor_;
    }
  }

  const Cut& cut(Cut& known, std::size_t label, bool most) const {
    if (!known.order.empty()) return known;
    std::vector<std::size_t> order = places_by_entry(*column_, label);
    if (most) std::reverse(order.begin(), order.end());
    const std::vector<Number>& cells = center_.cells[label];
    const std::vector<Number>& entries = column_->entries[label];
    const Number gained = factor_ * factor_ - Number(1);
    Number p = center_.joint(*column_, label);
    Number mass = center_.masses[label];
    known = {std::move(order), 0, p, mass};
    for (std::size_t k = 0; k < known.order.size(); ++k) {
      const std::size_t place = known.order[k];
      p += gained * cells[place] * entries[place];
      mass += gained * cells[place];
      const auto better = compare_products(p, known.mass, known.p, mass);
      if (most ? better > 0 : better < 0) {
        known.count = k + 1;
        known.p = p;
        known.mass = mass;
      }
    }
    return known;
  }

  const Center center_;
  const ColumnInputs& inputs_;
  const Number factor_;
  std::optional<ReweightedBounds> bounds_;
  RoundedEntries entries_;
  const LabelledColumn* column_ = nullptr;
  std::vector<Cut> most_, least_;  // per label, computed on demand
};

}  // namespace

PriorSetPtr reweighted(Prior center, const Number& factor) {
  std::string words = "priors each cell of which is the spec's but for a factor of " + factor.to_string();
  const auto search = [factor](Center around, const ColumnInputs& inputs) {
    return std::make_unique<ReweightedSearch>(std::move(around), inputs, factor);
  };
  const auto define = [factor](const std::vector<Number>& cells) {
    SetDefinition definition;
    for (const Number& cell : cells) {
      const std::size_t weight = definition.unknown();
      definition.cells.push_back({{weight, cell}});
      definition.at_most({{weight, Number(1)}}, factor);
      definition.at_most({{weight, Number(-1)}}, Number(-1) / factor);
    }
    return definition;
  };
  const auto bounds = [factor](const Center& around) {
    return std::make_unique<ReweightedBounds>(around.rounded(), rounded_mass(factor * factor));
  };
  return set_around(std::move(center), std::move(words), search, define, {false, bounds});
}

}  // namespace oddsbound::priors
