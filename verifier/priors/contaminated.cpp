// Contamination: a center that is wrong for a fraction r of the people.
//
// The set is the convex hull of (1 - r) center + r (one input). Let s be the wrong mass on `from`. It is best put
// on the input where the output is most likely, and the mass on `to` where the output is least likely; mass
// elsewhere is wasted. So the largest quotient lies on the line from s = 0 to s = r, with r - s on `to`. One line
// search per pair of labels.

#include <algorithm>
#include <iterator>

#include "verifier/priors/member.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::priors {

namespace {

class ContaminatedSearch final : public SetSearch {
 public:
  ContaminatedSearch(Center center, const ColumnInputs& inputs, Number share, Support support)
      : center_(std::move(center)), inputs_(inputs), share_(std::move(share)), support_(support) {}

  void look_at(const LabelledColumn& column) override {
    column_ = &column;
    joints_.clear();
    for (std::size_t label = 0; label < center_.masses.size(); ++label) {
      joints_.push_back(center_.joint(column, label));
    }
    if (support_ == Support::kCenter) extremes_ = extremes_within_support();
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
  BestLine<int> line(std::size_t from, std::size_t to) const {
    BestLine<int> best;
    const bool within = support_ == Support::kCenter;
    if (within && (center_.masses[from].is_zero() || center_.masses[to].is_zero())) return best;
    const auto& extremes = within ? extremes_ : column_->extremes;
    const Number& high = column_->entries[from][extremes[from].largest];
    const Number& low = column_->entries[to][extremes[to].smallest];
    const Number rest = Number(1) - share_;
    const JointMasses kept{rest * joints_[from], rest * center_.masses[from], rest * joints_[to],
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

  const Center center_;
  const ColumnInputs& inputs_;
  const Number share_;
  const Support support_;
  const LabelledColumn* column_ = nullptr;
  std::vector<Number> joints_;
  std::vector<LabelledColumn::Extremes> extremes_;  // within the support of the center
};

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

 private:
  bool may_have_mass(std::size_t label) const {
    return center_.masses[label] != 0 || (support_ == Support::kDomain && share_ != 0);
  }
  double extreme(std::size_t label, std::span<const double> column, double elsewhere, bool largest) const {
    if (support_ == Support::kDomain) return elsewhere;
    double found = largest ? 0 : kNoMean;
    for (std::size_t k = 0; k < column.size(); ++k) {
      if (center_.cells[label][k] != 0) found = largest ? std::max(found, column[k]) : std::min(found, column[k]);
    }
    return found;
  }
  double kept_joint(std::size_t label, std::span<const double> column) const {
    return rest_ == 0 ? 0 : rest_ * sum_over(center_.cells[label], column);
  }
  double mean(std::size_t label, double joint, double wrong, double entry) const {
    const double kept = rest_ * center_.masses[label];
    if (kept + wrong == 0) return entry;
    return (joint + (wrong == 0 ? 0 : wrong * entry)) / (kept + wrong);
  }

  const RoundedCells center_;
  const double share_, rest_;
  const Support support_;
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

}  // namespace oddsbound::priors
