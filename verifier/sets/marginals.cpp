// Priors with given tables of some coordinates each.
//
// Where the tables fix how likely two labels are, the quotient is one of two linear forms on a polytope, times a
// constant. The largest q is found by Dinkelbach's steps: what maximizes P(output, from) - q P(output, to) has a larger
// quotient than q, until the maximum is 0, which proves that no member has more.
#include <algorithm>
#include <limits>

#include "base/errors.h"
#include "verifier/exact/polytope.h"
#include "verifier/sets/kinds.h"
#include "verifier/sets/member.h"

namespace oddsbound::sets {

namespace {

// The inputs to which no table gives mass 0, and what the tables say of their masses.
struct Cells {
  std::vector<std::uint64_t> inputs;
  exact::Equations equations;

  Cells(const Domain& domain, const std::vector<Marginal>& marginals, Budget& budget) {
    constexpr std::size_t kRuledOut = std::numeric_limits<std::size_t>::max();
    std::vector<Projection> projections;
    std::vector<std::vector<std::size_t>> rows;  // per table and its cell
    for (const Marginal& marginal : marginals) {
      projections.emplace_back(domain, marginal.coordinates);
      std::vector<std::size_t>& mine = rows.emplace_back();
      for (const Number& cell : marginal.cells) {
        mine.push_back(cell.is_zero() ? kRuledOut : equations.right.size());
        if (!cell.is_zero()) equations.right.push_back(cell);
      }
    }
    for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
      budget.tick();
      std::vector<std::pair<std::size_t, Number>> column;
      for (std::size_t k = 0; k < rows.size(); ++k) column.emplace_back(rows[k][projections[k](x)], Number(1));
      if (std::any_of(column.begin(), column.end(), [](const auto& entry) { return entry.first == kRuledOut; })) {
        continue;
      }
      inputs.push_back(x);
      equations.columns.push_back(std::move(column));
    }
  }
};

class MarginalSearch final : public SetSearch {
 public:
  MarginalSearch(const Cells& cells, const LabelledInputs& inputs, Budget& budget)
      : inputs_(cells.inputs), polytope_(cells.equations, budget), masses_(inputs.inputs.size()) {
    for (const auto& of_label : inputs.inputs) {
      std::vector<Cell>& mine = cells_.emplace_back();
      for (std::size_t place = 0; place < of_label.size(); ++place) {
        const auto at = std::lower_bound(inputs_.begin(), inputs_.end(), of_label[place]);
        if (at == inputs_.end() || *at != of_label[place]) continue;
        mine.push_back({static_cast<std::size_t>(at - inputs_.begin()), place});
      }
    }
  }

  void look_at(const LabelledColumn& column) override { column_ = &column; }

  std::optional<Ratio> largest(std::size_t from, std::size_t to) override {
    if (mass(from).is_zero() || mass(to).is_zero()) return std::nullopt;
    best_ = polytope_.vertex();
    while (true) {
      const Number p_from = joint(from), p_to = joint(to);
      if (p_to.is_zero() && !p_from.is_zero()) return Ratio::infinity();
      const Number q = p_from.is_zero() ? Number(0) : p_from / p_to;
      std::vector<Number> form(inputs_.size());
      for (const Cell& cell : cells_[from]) form[cell.variable] = column_->entries[from][cell.place];
      for (const Cell& cell : cells_[to]) form[cell.variable] -= q * column_->entries[to][cell.place];
      if (polytope_.maximize(form).value.is_zero()) return Ratio{q * mass(to) / mass(from)};
      best_ = polytope_.vertex();
    }
  }

  Member member(std::size_t, std::size_t) override {
    MemberBuilder builder;
    for (std::size_t k = 0; k < inputs_.size(); ++k) builder.add(inputs_[k], best_[k]);
    return builder.finish();
  }

 private:
  struct Cell {
    std::size_t variable, place;
  };

  // P(output and label) under the best member so far.
  Number joint(std::size_t label) const {
    std::vector<WeightedTerm> terms;
    for (const Cell& cell : cells_[label]) terms.push_back({best_[cell.variable], column_->entries[label][cell.place]});
    return weighted_sum(terms);
  }

  const Number& mass(std::size_t label) {
    std::optional<Number>& known = masses_[label];
    if (known) return *known;
    std::vector<Number> most(inputs_.size()), least(inputs_.size());
    for (const Cell& cell : cells_[label]) {
      most[cell.variable] = Number(1);
      least[cell.variable] = Number(-1);
    }
    const Number mass = polytope_.maximize(most).value;
    if (polytope_.maximize(least).value != -mass) {
      throw LimitError("the tables of the set do not say how likely each label of the secret is");
    }
    return known.emplace(mass);
  }

  const std::vector<std::uint64_t> inputs_;
  exact::Polytope polytope_;
  std::vector<std::vector<Cell>> cells_;  // per label, of those that may have mass
  std::vector<std::optional<Number>> masses_;
  const LabelledColumn* column_ = nullptr;
  std::vector<Number> best_;
};

class MarginalSet final : public PriorSet {
 public:
  explicit MarginalSet(std::vector<Marginal> marginals) : marginals_(std::move(marginals)) {}

  std::string words() const override {
    return marginals_.size() == 1 ? "priors with the stated table"
                                  : "priors with the " + std::to_string(marginals_.size()) + " stated tables";
  }

  std::string complaint(const Domain& domain, std::optional<std::size_t> about) const override {
    const auto has = [&](const Marginal& marginal) {
      return std::find(marginal.coordinates.begin(), marginal.coordinates.end(), *about) != marginal.coordinates.end();
    };
    if (!about || std::any_of(marginals_.begin(), marginals_.end(), has)) return {};
    return "none of its tables has '" + domain.coordinate(*about).name + "', and the claim is about it";
  }

  std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget& budget) const override {
    return std::make_unique<MarginalSearch>(Cells(question.domain, marginals_, budget), question.inputs, budget);
  }
  std::vector<SetDefinition> definitions(const SetQuestion& question, Budget&) const override {
    SetDefinition definition = SetDefinition::of_cells(question.domain.inputs());
    for (const Marginal& marginal : marginals_) {
      const Projection project(question.domain, marginal.coordinates);
      std::vector<SetDefinition::Form> forms(marginal.cells.size());
      for (std::uint64_t x = 0; x < question.domain.inputs(); ++x) forms[project(x)].emplace_back(x, Number(1));
      for (std::size_t k = 0; k < forms.size(); ++k) definition.equal(std::move(forms[k]), marginal.cells[k]);
    }
    return {definition};
  }

 private:
  std::vector<Marginal> marginals_;
};

}  // namespace

bool is_possible(const Domain& domain, const std::vector<Marginal>& marginals, Budget& budget) {
  return !exact::Polytope(Cells(domain, marginals, budget).equations, budget).is_empty();
}

PriorSetPtr with_marginals(std::vector<Marginal> marginals) {
  return std::make_shared<MarginalSet>(std::move(marginals));
}

}  // namespace oddsbound::sets
