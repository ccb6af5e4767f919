#include "verifier/linear/linear_program.h"

#include <Eigen/LU>
#include <algorithm>
#include <cassert>
#include <cmath>

namespace oddsbound::linear {

namespace {

// Up to this size FLINT solves for a basis within about a second, during which it cannot be interrupted.
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

LinearProgram::LinearProgram(Equations equations, Budget& budget) : equations_(std::move(equations)), budget_(budget) {
  source_ = usual_source(equations_, budget);
  find_point();
}

LinearProgram::LinearProgram(Equations equations, Budget& budget, std::unique_ptr<BasisSource> source)
    : equations_(std::move(equations)), budget_(budget), source_(std::move(source)) {
  find_point();
}

void LinearProgram::find_point() {
  if (move_to(propose(std::vector<double>(equations_.columns.size())))) return;
  empty_ = (source_ && is_proven_empty()) || tableau().is_empty();
  if (!empty_) vertex_ = tableau().vertex();
}

// Phase 1: adds an artificial variable to each equation and maximizes minus their sum. Feasible duals with a
// negative value prove that there is no point (Farkas' lemma), whatever else the basis is.
bool LinearProgram::is_proven_empty() const {
  Equations more = equations_;
  std::vector<Number> form(more.columns.size());
  for (std::size_t i = 0; i < more.right.size(); ++i) {
    more.columns.push_back({{i, Number(1)}});
    form.emplace_back(-1);
  }
  const std::optional<CandidateBasis> proposal = clp_bases(more, budget_)->propose(rounded(form));
  if (!proposal) return false;
  const auto duals = duals_of(more, proposal->basis, form);
  return duals && product(*duals, more.right).sign() < 0;
}

LinearProgram::Optimum LinearProgram::maximize(std::span<const Number> form) {
  assert(!empty_ && form.size() == equations_.columns.size());
  if (move_to(propose(rounded(form)))) {
    if (std::optional<Optimum> optimum = optimum_at_basis(form)) return *std::move(optimum);
    tableau().move_to(basis_->columns);
  }
  std::vector<Number> duals = tableau().maximize_from(form);
  vertex_ = tableau().vertex();
  basis_.reset();
  return {product(vertex_, form), std::move(duals)};
}

bool LinearProgram::is_certified_negative(std::span<const double> form) {
  if (!source_) return false;
  if (!bounds_) {
    const std::vector<Number> ones(equations_.columns.size(), Number(1));
    bounds_.emplace(equations_, maximize(ones).value);
  }
  if (bounds_->prove_negative(form)) return true;
  const std::optional<CandidateBasis>& proposal = propose(form);
  if (!proposal || !bounds_->prove_negative(form, proposal->duals)) return false;
  bounds_->remember(proposal->basis);
  return true;
}

const std::optional<CandidateBasis>& LinearProgram::propose(std::span<const double> form) {
  budget_.check();
  if (source_ && !std::equal(form.begin(), form.end(), asked_.begin(), asked_.end())) {
    asked_.assign(form.begin(), form.end());
    proposed_ = source_->propose(form);
    budget_.check();
  }
  return proposed_;
}

// Returns true if the basis has a feasible point, and makes it the vertex.
bool LinearProgram::move_to(const std::optional<CandidateBasis>& proposal) {
  if (!proposal) return false;
  if (proposal->basis == basis_) return true;
  std::optional<std::vector<Number>> point = point_of(equations_, proposal->basis);
  if (!point) return false;
  vertex_ = *std::move(point);
  basis_ = proposal->basis;
  return true;
}

std::optional<LinearProgram::Optimum> LinearProgram::optimum_at_basis(std::span<const Number> form) const {
  const auto is_rational = [](const Number& number) { return number.is_rational(); };
  if (equations_.are_rational() && !std::all_of(form.begin(), form.end(), is_rational)) return std::nullopt;
  std::optional<std::vector<Number>> duals = duals_of(equations_, *basis_, form);
  if (!duals) return std::nullopt;
  Number value = product(vertex_, form);
  assert(value == product(*duals, equations_.right));
  return Optimum{std::move(value), *std::move(duals)};
}

// Starts at the proposed vertex, if there is one.
Tableau& LinearProgram::tableau() {
  if (!tableau_) tableau_.emplace(equations_, budget_, basis_ ? &basis_->columns : nullptr);
  return *tableau_;
}

namespace {

constexpr std::size_t kMostRemembered = 32;
// Inverting a larger basis takes longer than it saves.
constexpr std::size_t kMostInverted = 200;
// Bound on duals and totals: errors from underflow then stay far below |kNegative|.
constexpr double kMost = 1e50;
constexpr double kNegative = -1e-200;

// Bound on the relative error of a sum of n products, relative to the sum of magnitudes, if both are summed in
// order in doubles and each factor has relative error <= 2^-48. n roundings contribute n 2^-53 and the factors
// 2^-47; the rest covers the errors of the magnitudes and of the slacks themselves.
double slack(std::size_t n) { return (static_cast<double>(n) + 64) * 0x1p-52; }

}  // namespace

DualBounds::DualBounds(const Equations& equations, const Number& total)
    : starts_{0}, total_(total.approx() * (1 + 0x1p-50)), duals_(equations.right.size()) {
  for (const Number& number : equations.right) right_.push_back(number.approx());
  for (const auto& column : equations.columns) {
    for (const auto& [row, entry] : column) {
      rows_.push_back(row);
      entries_.push_back(entry.approx());
    }
    starts_.push_back(rows_.size());
  }
}

bool DualBounds::prove_negative(std::span<const double> form, std::span<const double> duals) const {
  // The comparisons are written so that NaN fails, here and below.
  const auto is_usable = [](double price) { return std::abs(price) <= kMost; };
  if (!(total_ <= kMost) || !std::all_of(duals.begin(), duals.end(), is_usable)) return false;
  double value = 0, size = 0;
  for (std::size_t i = 0; i < right_.size(); ++i) {
    const double term = duals[i] * right_[i];
    value += term;
    size += std::abs(term);
  }
  value += size * slack(right_.size());
  for (std::size_t j = 0; j < form.size(); ++j) {
    double excess = form[j];
    double magnitude = std::abs(excess);
    for (std::size_t k = starts_[j]; k < starts_[j + 1]; ++k) {
      const double term = duals[rows_[k]] * entries_[k];
      excess -= term;
      magnitude += std::abs(term);
    }
    excess += magnitude * slack(starts_[j + 1] - starts_[j]);
    if (!(value + total_ * std::max(0.0, excess) * (1 + 0x1p-50) < kNegative) || !(excess < kMost)) return false;
  }
  return value < kNegative;
}

bool DualBounds::prove_negative(std::span<const double> form) {
  for (std::size_t k = 0; k < bases_.size(); ++k) {
    set_prices(bases_[k], form);
    if (!prove_negative(form, duals_)) continue;
    const auto used = bases_.begin() + static_cast<std::ptrdiff_t>(k);
    std::rotate(bases_.begin(), used, used + 1);
    return true;
  }
  return false;
}

void DualBounds::remember(const Basis& basis) {
  const auto is_it = [&](const Remembered& remembered) { return remembered.basis == basis; };
  if (basis.rows.size() > kMostInverted || std::any_of(bases_.begin(), bases_.end(), is_it)) return;
  if (bases_.size() == kMostRemembered) bases_.pop_back();
  bases_.insert(bases_.begin(), {basis, inverse_of(basis)});
}

// Sets approximate duals of the basis. Their accuracy does not matter for the proof.
void DualBounds::set_prices(const Remembered& remembered, std::span<const double> form) {
  const Basis& basis = remembered.basis;
  std::fill(duals_.begin(), duals_.end(), 0.0);
  for (std::size_t j = 0; j < basis.columns.size(); ++j) {
    const double worth = form[basis.columns[j]];
    if (worth == 0) continue;
    const double* row = remembered.inverse.data() + j * basis.rows.size();
    for (std::size_t i = 0; i < basis.rows.size(); ++i) duals_[basis.rows[i]] += worth * row[i];
  }
}

std::vector<double> DualBounds::inverse_of(const Basis& basis) const {
  const auto size = static_cast<Eigen::Index>(basis.rows.size());
  std::vector<Eigen::Index> place(right_.size(), -1);
  for (std::size_t i = 0; i < basis.rows.size(); ++i) place[basis.rows[i]] = static_cast<Eigen::Index>(i);
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(size, size);
  for (std::size_t j = 0; j < basis.columns.size(); ++j) {
    const std::size_t column = basis.columns[j];
    for (std::size_t k = starts_[column]; k < starts_[column + 1]; ++k) {
      if (place[rows_[k]] >= 0) matrix(place[rows_[k]], static_cast<Eigen::Index>(j)) = entries_[k];
    }
  }
  std::vector<double> inverse(static_cast<std::size_t>(size * size));
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  if (size > 0) Eigen::Map<RowMajor>(inverse.data(), size, size) = matrix.partialPivLu().inverse();
  return inverse;
}

}  // namespace oddsbound::linear
