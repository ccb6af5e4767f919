// Priors with given marginal tables.
//
// The tables fix the masses of both labels, so the quotient is a constant times a quotient of two linear forms on
// a polytope. The largest q is found by Dinkelbach's algorithm: while the maximum of P(output, from) - q P(output,
// to) is positive, its maximizer has a larger quotient than q; a maximum of 0 proves that no member has more. Most
// outputs whose quotient does not exceed an earlier one are discarded by one such form, with the earlier quotient
// as q, in doubles.

#include <algorithm>
#include <limits>

#include "base/errors.h"
#include "verifier/linear/linear_program.h"
#include "verifier/priors/member.h"
#include "verifier/priors/prior_set.h"

namespace oddsbound::priors {

namespace {

// The inputs to which no table gives mass 0, and the equations of the tables.
struct Cells {
  std::vector<std::uint64_t> inputs;
  linear::Equations equations;

  Cells(const Domain& domain, const std::vector<Marginal>& marginals, Budget& budget) {
    constexpr std::size_t kRuledOut = std::numeric_limits<std::size_t>::max();
    std::vector<Projection> projections;
    std::vector<std::vector<std::size_t>> rows;  // per table and cell
    for (const Marginal& marginal : marginals) {
      projections.emplace_back(domain, marginal.coordinates);
      std::vector<std::size_t>& mine = rows.emplace_back();
      for (const Number& cell : marginal.cells) {
        mine.push_back(cell.is_zero() ? kRuledOut : equations.right.size());
        if (!cell.is_zero()) equations.right.push_back(cell);
      }
    }
    for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
      budget.check_every();
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
  MarginalSearch(Cells cells, const ColumnInputs& inputs, Budget& budget)
      : inputs_(std::move(cells.inputs)),
        budget_(budget),
        polytope_(std::move(cells.equations), budget),
        masses_(inputs.inputs.size()) {
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

  bool is_at_most(std::size_t from, std::size_t to, const Ratio& ratio) override {
    if (ratio.infinite || !ratio.value.is_number() || mass(from).is_zero() || mass(to).is_zero()) return false;
    const Number q = ratio.value.plain() * mass(from) / mass(to);
    return polytope_.is_certified_negative(rounded_form(from, to, q)) ||
           polytope_.maximize(form(from, to, q)).value.sign() <= 0;
  }

  std::optional<Ratio> largest(std::size_t from, std::size_t to) override {
    if (mass(from).is_zero() || mass(to).is_zero()) return std::nullopt;
    const std::optional<Number> quotient = climb(polytope_, from, to).quotient;
    return quotient ? Ratio{*quotient * mass(to) / mass(from)} : Ratio::infinity();
  }

  // Starts from the polytope's initial vertex, so the member does not depend on earlier questions.
  Member member(std::size_t from, std::size_t to) override {
    linear::LinearProgram anew(polytope_.equations(), budget_);
    const std::vector<Number> best = climb(anew, from, to).vertex;
    MemberBuilder builder;
    for (std::size_t k = 0; k < inputs_.size(); ++k) builder.add(inputs_[k], best[k]);
    return builder.finish();
  }

  // A rational bound is proven directly. Otherwise the largest quotient is proven: it contains no root, and no
  // more powers of exp than the tables and the channel.
  std::optional<SetProof> proof(std::size_t from, std::size_t to, const Surd& bound) override {
    if (mass(from).is_zero() || mass(to).is_zero()) return ByPrices{};
    Surd shown = bound;
    if (!bound.is_rational()) {
      const std::optional<Ratio> found = largest(from, to);
      if (*found > Ratio{bound}) return std::nullopt;
      shown = found->value;
    }
    linear::LinearProgram::Optimum optimum = polytope_.maximize(form(from, to, shown.plain() * mass(from) / mass(to)));
    if (optimum.value.sign() > 0) return std::nullopt;
    return ByPrices{std::move(optimum.duals)};
  }
  std::vector<MassProof> mass_proofs() override {
    std::vector<MassProof> proofs;
    for (std::size_t label = 0; label < cells_.size(); ++label) {
      proofs.push_back({polytope_.maximize(multiple_of(label, Number(1))).duals,
                        polytope_.maximize(multiple_of(label, Number(-1))).duals});
    }
    return proofs;
  }

 private:
  struct Cell {
    std::size_t variable, place;
  };

  const Number& entry(std::size_t label, const Cell& cell) const { return column_->entries[label][cell.place]; }

  // Returns P(output, from) - q P(output, to), by variable.
  std::vector<Number> form(std::size_t from, std::size_t to, const Number& q) const {
    std::vector<Number> result(inputs_.size());
    for (const Cell& cell : cells_[from]) result[cell.variable] = entry(from, cell);
    for (const Cell& cell : cells_[to]) result[cell.variable] = -(q * entry(to, cell));
    return result;
  }

  // The same in doubles, each with a relative error of at most 2^-49.
  std::vector<double> rounded_form(std::size_t from, std::size_t to, const Number& q) const {
    std::vector<double> result(inputs_.size());
    const double rounded_q = q.approx();
    for (const Cell& cell : cells_[from]) result[cell.variable] = entry(from, cell).approx();
    for (const Cell& cell : cells_[to]) result[cell.variable] = -(rounded_q * entry(to, cell).approx());
    return result;
  }

  struct Largest {
    std::optional<Number> quotient;  // P(output, from) / P(output, to); nullopt: infinite
    std::vector<Number> vertex;
  };
  // Starts from the polytope's current vertex.
  Largest climb(linear::LinearProgram& polytope, std::size_t from, std::size_t to) const {
    while (true) {
      const std::vector<Number> vertex = polytope.vertex();
      const Number p_from = joint(vertex, from), p_to = joint(vertex, to);
      if (p_to.is_zero() && !p_from.is_zero()) return {std::nullopt, vertex};
      const Number q = p_from.is_zero() ? Number(0) : p_from / p_to;
      if (polytope.maximize(form(from, to, q)).value.is_zero()) return {q, vertex};
    }
  }

  // Returns P(output and label) under a member.
  Number joint(const std::vector<Number>& member, std::size_t label) const {
    std::vector<WeightedTerm> terms;
    for (const Cell& cell : cells_[label]) terms.push_back({member[cell.variable], entry(label, cell)});
    return weighted_sum(terms);
  }

  std::vector<Number> multiple_of(std::size_t label, const Number& factor) const {
    std::vector<Number> result(inputs_.size());
    for (const Cell& cell : cells_[label]) result[cell.variable] = factor;
    return result;
  }

  const Number& mass(std::size_t label) {
    std::optional<Number>& known = masses_[label];
    if (known) return *known;
    const Number mass = polytope_.maximize(multiple_of(label, Number(1))).value;
    if (polytope_.maximize(multiple_of(label, Number(-1))).value != -mass) {
      throw LimitError("the tables of the set do not say how likely each label of the secret is");
    }
    return known.emplace(mass);
  }

  const std::vector<std::uint64_t> inputs_;
  Budget& budget_;
  linear::LinearProgram polytope_;
  std::vector<std::vector<Cell>> cells_;  // per label: the cells that may have mass
  std::vector<std::optional<Number>> masses_;
  const LabelledColumn* column_ = nullptr;
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
  return !linear::LinearProgram(Cells(domain, marginals, budget).equations, budget).is_empty();
}

PriorSetPtr with_marginals(std::vector<Marginal> marginals) {
  return std::make_shared<MarginalSet>(std::move(marginals));
}

}  // namespace oddsbound::priors
