#include "verifier/exact/polytope.h"

#include <algorithm>
#include <cassert>

namespace oddsbound::exact {

namespace {

// FLINT solves for a basis within a second or so, in which nobody can stop it.
constexpr std::size_t kMostEquations = 1000;

std::vector<double> rounded(std::span<const Number> form) {
  std::vector<double> result;
  for (const Number& number : form) result.push_back(number.approx());
  return result;
}

Number product(const std::vector<Number>& a, std::span<const Number> b) {
  std::vector<WeightedTerm> terms;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (!a[k].is_zero() && !b[k].is_zero()) terms.push_back({a[k], b[k]});
  }
  return weighted_sum(terms);
}

std::unique_ptr<BasisSource> usual_source(const Equations& equations, const Budget& budget) {
  const bool usable = equations.right.size() <= kMostEquations && equations.are_rational();
  return usable ? clp_bases(equations, budget) : nullptr;
}

}  // namespace

Polytope::Polytope(Equations equations, Budget& budget) : equations_(std::move(equations)), budget_(budget) {
  source_ = usual_source(equations_, budget);
  find_point();
}

Polytope::Polytope(Equations equations, Budget& budget, std::unique_ptr<BasisSource> source)
    : equations_(std::move(equations)), budget_(budget), source_(std::move(source)) {
  find_point();
}

void Polytope::find_point() {
  if (move_to(propose(std::vector<double>(equations_.columns.size())))) return;
  empty_ = (source_ && is_proven_empty()) || tableau().is_empty();
  if (!empty_) vertex_ = tableau().vertex();
}

// One more variable for each equation, that alone fulfills it: there is no point if their sum cannot be brought to 0.
// Prices that show so are a proof whatever else the basis is (Farkas).
bool Polytope::is_proven_empty() const {
  Equations more = equations_;
  std::vector<Number> form(more.columns.size());
  for (std::size_t i = 0; i < more.right.size(); ++i) {
    more.columns.push_back({{i, Number(1)}});
    form.emplace_back(-1);
  }
  const std::optional<Proposal> proposal = clp_bases(more, budget_)->propose(rounded(form));
  if (!proposal) return false;
  const auto prices = prices_of(more, proposal->basis, form);
  return prices && product(*prices, more.right).sign() < 0;
}

Polytope::Optimum Polytope::maximize(std::span<const Number> form) {
  assert(!empty_ && form.size() == equations_.columns.size());
  if (move_to(propose(rounded(form)))) {
    if (std::optional<Optimum> optimum = optimum_at_basis(form)) return *std::move(optimum);
    tableau().move_to(basis_->columns);
  }
  std::vector<Number> prices = tableau().climb_to_most(form);
  vertex_ = tableau().vertex();
  basis_.reset();
  return {product(vertex_, form), std::move(prices)};
}

bool Polytope::is_plainly_negative(std::span<const double> form) {
  if (!source_) return false;
  if (!bounds_) {
    const std::vector<Number> ones(equations_.columns.size(), Number(1));
    bounds_.emplace(equations_, maximize(ones).value);
  }
  if (bounds_->prove_negative(form)) return true;
  const std::optional<Proposal>& proposal = propose(form);
  if (!proposal || !bounds_->prove_negative(form, proposal->prices)) return false;
  bounds_->remember(proposal->basis);
  return true;
}

const std::optional<Proposal>& Polytope::propose(std::span<const double> form) {
  budget_.look();
  if (source_ && !std::equal(form.begin(), form.end(), asked_.begin(), asked_.end())) {
    asked_.assign(form.begin(), form.end());
    proposed_ = source_->propose(form);
    budget_.look();
  }
  return proposed_;
}

// Whether the basis has a point, which is the vertex then.
bool Polytope::move_to(const std::optional<Proposal>& proposal) {
  if (!proposal) return false;
  if (proposal->basis == basis_) return true;
  std::optional<std::vector<Number>> point = point_of(equations_, proposal->basis);
  if (!point) return false;
  vertex_ = *std::move(point);
  basis_ = proposal->basis;
  return true;
}

std::optional<Polytope::Optimum> Polytope::optimum_at_basis(std::span<const Number> form) const {
  const auto is_rational = [](const Number& number) { return number.is_rational(); };
  if (equations_.are_rational() && !std::all_of(form.begin(), form.end(), is_rational)) return std::nullopt;
  std::optional<std::vector<Number>> prices = prices_of(equations_, *basis_, form);
  if (!prices) return std::nullopt;
  Number value = product(vertex_, form);
  assert(value == product(*prices, equations_.right));
  return Optimum{std::move(value), *std::move(prices)};
}

// Begins at the vertex, if there is one.
Tableau& Polytope::tableau() {
  if (!tableau_) tableau_.emplace(equations_, budget_, basis_ ? &basis_->columns : nullptr);
  return *tableau_;
}

}  // namespace oddsbound::exact
