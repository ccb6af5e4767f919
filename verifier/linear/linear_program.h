// Whether a linear form is negative on a whole polytope, as far as doubles tell: it is proven, or nothing is said.
//
// Whatever the prices y are, form . x = y . right + (form - A^T y) . x where A x = right, so it is at most y . right +
// total * the largest entry of form - A^T y, if total is what the sum of x is at most. Bases that were good for earlier
// forms have prices for this one, and these are often good enough.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "verifier/linear/basis.h"
#include "verifier/linear/tableau.h"

namespace oddsbound::linear {

class DualBounds {
 public:
  /// total: not below the sum of any point.
  DualBounds(const Equations& equations, const Number& total);

  /// True: form . x < 0 at every point. Each entry of the form is within a relative error of 2^-48 of what is meant.
  /// prices: per equation, whatever they are.
  bool prove_negative(std::span<const double> form, std::span<const double> duals) const;
  /// The same by the bases that are remembered.
  bool prove_negative(std::span<const double> form);
  /// Forgets that which was of no use for longest, if there are many.
  void remember(const Basis& basis);

 private:
  struct Remembered {
    Basis basis;
    std::vector<double> inverse;  // columns x rows of the basis
  };

  void set_prices(const Remembered& remembered, std::span<const double> form);
  std::vector<double> inverse_of(const Basis& basis) const;

  // The equations in doubles, each within a relative error of 2^-51, or where it is below 2^-1000, that far off.
  std::vector<double> right_, entries_;
  std::vector<std::size_t> starts_, rows_;
  double total_;  // not below
  std::vector<Remembered> bases_;
  std::vector<double> prices_;
};

// {x >= 0 : A x = right}, and the largest value of a linear form on it, decided exactly.
//
// A solver in doubles proposes a basis (basis.h). If its point is on the polytope and its prices show that no point has
// more, both exactly, that decides. If only its point is, the simplex method in exact numbers (tableau.h) goes on
// from there, else from where it was: what is proposed costs time at worst.

class LinearProgram {
 public:
  /// Finds a point if there is one. The polytope must be bounded. The budget outlives it; throws LimitError past it.
  LinearProgram(Equations equations, Budget& budget);
  /// The same with bases from elsewhere. Null: the tableau alone.
  LinearProgram(Equations equations, Budget& budget, std::unique_ptr<BasisSource> source);

  bool is_empty() const { return empty_; }
  const Equations& equations() const { return equations_; }

  struct Optimum {
    Number value;
    /// Per row of the equations: right . prices is the value, and A^T prices is nowhere below the form.
    std::vector<Number> duals;
  };
  /// The largest value of form . x; vertex() then attains it. The polytope must not be empty.
  Optimum maximize(std::span<const Number> form);
  /// The vertex where the last such question ended.
  const std::vector<Number>& vertex() const { return vertex_; }

  /// True: form . x < 0 at every point, proven in doubles. Each entry of the form is within a relative error of 2^-48
  /// of what is meant. False says nothing. The polytope must not be empty.
  bool is_certified_negative(std::span<const double> form);

 private:
  void find_point();
  bool is_proven_empty() const;
  const std::optional<CandidateBasis>& propose(std::span<const double> form);
  bool move_to(const std::optional<CandidateBasis>& proposal);
  std::optional<Optimum> optimum_at_basis(std::span<const Number> form) const;
  Tableau& tableau();

  const Equations equations_;
  Budget& budget_;
  std::unique_ptr<BasisSource> source_;
  bool empty_ = false;
  std::vector<Number> vertex_;
  std::optional<Basis> basis_;  // of the vertex, if it was proposed
  std::optional<Tableau> tableau_;
  std::vector<double> asked_;  // what was last proposed for
  std::optional<CandidateBasis> proposed_;
  std::optional<DualBounds> bounds_;
};

}  // namespace oddsbound::linear
