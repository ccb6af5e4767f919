// {x >= 0 : A x = right}, and the largest value of a linear form on it, decided exactly.
//
// A solver in doubles proposes a basis (basis.h). If its point is on the polytope and its prices show that no point has
// more, both exactly, that decides. If only its point is, the simplex method in exact numbers (tableau.h) goes on
// from there, else from where it was: what is proposed costs time at worst.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "verifier/exact/basis.h"
#include "verifier/exact/price_bounds.h"
#include "verifier/exact/tableau.h"

namespace oddsbound::exact {

class Polytope {
 public:
  /// Finds a point if there is one. The polytope must be bounded. The budget outlives it; throws LimitError past it.
  Polytope(Equations equations, Budget& budget);
  /// The same with bases from elsewhere. Null: the tableau alone.
  Polytope(Equations equations, Budget& budget, std::unique_ptr<BasisSource> source);

  bool is_empty() const { return empty_; }
  const Equations& equations() const { return equations_; }

  struct Optimum {
    Number value;
    /// Per row of the equations: right . prices is the value, and A^T prices is nowhere below the form.
    std::vector<Number> prices;
  };
  /// The largest value of form . x; vertex() then attains it. The polytope must not be empty.
  Optimum maximize(std::span<const Number> form);
  /// The vertex where the last such question ended.
  const std::vector<Number>& vertex() const { return vertex_; }

  /// True: form . x < 0 at every point, proven in doubles. Each entry of the form is within a relative error of 2^-48
  /// of what is meant. False says nothing. The polytope must not be empty.
  bool is_plainly_negative(std::span<const double> form);

 private:
  void find_point();
  bool is_proven_empty() const;
  const std::optional<Proposal>& propose(std::span<const double> form);
  bool move_to(const std::optional<Proposal>& proposal);
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
  std::optional<Proposal> proposed_;
  std::optional<PriceBounds> bounds_;
};

}  // namespace oddsbound::exact
