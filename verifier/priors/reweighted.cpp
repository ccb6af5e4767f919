// A center with every cell known up to a factor.
//
// Scaling all cells of a label changes no conditional probability, so the two labels decouple. P(output | from) is
// a mean of its entries with weights w * center. By an exchange argument it is largest if w = factor for the
// inputs where the output is most likely, and w = 1/factor for all others. So it suffices to try every cut of the
// sorted entries.

#include <algorithm>

#include "verifier/priors/member.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::priors {

namespace {

class ReweightedSearch final : public SetSearch {
 public:
  ReweightedSearch(Center center, const ColumnInputs& inputs, Number factor)
      : center_(std::move(center)), inputs_(inputs), factor_(std::move(factor)) {}

  void look_at(const LabelledColumn& column) override {
    column_ = &column;
    most_.assign(inputs_.inputs.size(), {});
    least_.assign(inputs_.inputs.size(), {});
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
  const LabelledColumn* column_ = nullptr;
  std::vector<Cut> most_, least_;  // per label, computed on demand
};

// Bounds by the same cuts. They hold for any column, so one part suffices.
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

 private:
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
