// Exact linear programs over {x >= 0 : A x = right} (LinearProgram), with a certified test in doubles that a form
// is negative everywhere (DualBounds).
//
// Weak duality: for any duals y and any point, form . x = y . right + (form - A^T y) . x <= y . right + total *
// max(0, max_j (form - A^T y)_j), where total bounds the sum of x. DualBounds evaluates this bound with explicit
// rounding errors, for duals of bases that were good for earlier forms; these are often good enough.
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
  /// `total` is an upper bound on the sum of x over all points.
  DualBounds(const Equations& equations, const Number& total);

  /// True if form . x < 0 at every point is proven; false means unknown. Each entry of `form` has relative error
  /// <= 2^-48. `duals` (one per equation) may be arbitrary.
  bool prove_negative(std::span<const double> form, std::span<const double> duals) const;
  /// The same with the duals of the remembered bases.
  bool prove_negative(std::span<const double> form);
  /// Adds a basis. Drops the least recently useful one if there are kMostRemembered.
  void remember(const Basis& basis);

 private:
  struct Remembered {
    Basis basis;
    std::vector<double> inverse;  // columns x rows of the basis
  };

  void set_prices(const Remembered& remembered, std::span<const double> form);
  std::vector<double> inverse_of(const Basis& basis) const;

  // The equations in doubles: relative error <= 2^-51, or absolute error <= 2^-1000 for entries below 2^-1000.
  std::vector<double> right_, entries_;
  std::vector<std::size_t> starts_, rows_;
  double total_;  // rounded up
  std::vector<Remembered> bases_;
  std::vector<double> duals_;
};

// The maximum of a linear form over {x >= 0 : A x = right}, decided exactly.
//
// A solver in doubles proposes a basis (basis.h). If its exact point is feasible and its exact duals prove
// optimality, it is the answer. If only the point is feasible, the exact simplex method (tableau.h) starts from
// it; otherwise it starts from its own last vertex. A bad proposal costs time only.

class LinearProgram {
 public:
  /// Finds a point if there is one. The polytope must be bounded. `budget` must outlive this object. Throws
  /// LimitError past it.
  LinearProgram(Equations equations, Budget& budget);
  /// The same with another source of bases. Null: the tableau alone.
  LinearProgram(Equations equations, Budget& budget, std::unique_ptr<BasisSource> source);

  bool is_empty() const { return empty_; }
  const Equations& equations() const { return equations_; }

  struct Optimum {
    Number value;
    /// One dual per equation: right . duals = value, and A^T duals >= form.
    std::vector<Number> duals;
  };
  /// Returns the maximum of form . x; vertex() then attains it. The polytope must not be empty.
  Optimum maximize(std::span<const Number> form);
  /// Returns the vertex that attains the last maximum.
  const std::vector<Number>& vertex() const { return vertex_; }

  /// True if form . x < 0 at every point is proven in doubles; false means unknown. Each entry of `form` has
  /// relative error <= 2^-48. The polytope must not be empty.
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
  std::vector<double> asked_;  // the form of the last proposal
  std::optional<CandidateBasis> proposed_;
  std::optional<DualBounds> bounds_;
};

}  // namespace oddsbound::linear
