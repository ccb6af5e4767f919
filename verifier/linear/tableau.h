// The primal simplex method in exact numbers on a dense tableau.
//
// Decides alone, without a solver in doubles. Used if a proposed basis is not good enough (linear_program.h) or if
// the numbers are not rational. Cost: rows x columns exact operations per pivot. Terminates by Bland's rule (climb
// in tableau.cpp).
#pragma once

#include "verifier/linear/basis.h"

namespace oddsbound::linear {

class Tableau {
 public:
  /// Finds a vertex if there is one. The polytope must be bounded. `budget` must outlive this object. Throws
  /// LimitError past it. `at`: the basic columns of a feasible point (point_of) to start from.
  Tableau(const Equations& equations, Budget& budget, const std::vector<std::size_t>* at = nullptr);

  bool is_empty() const { return empty_; }
  /// Pivots to the vertex of a basis with a feasible point (point_of), given by its columns.
  void move_to(const std::vector<std::size_t>& columns);
  /// Pivots to a vertex that maximizes the form. The polytope must not be empty. Returns one dual per equation:
  /// right . duals is the maximum, and A^T duals >= form.
  std::vector<Number> maximize_from(std::span<const Number> form);
  std::vector<Number> vertex() const;

 private:
  struct Row {
    std::vector<Number> entries;  // of all columns, then the multiple of each equation in this row
    Number right;
    std::size_t basic = 0;  // the column whose value this row gives
  };

  void climb(std::vector<Number>& gains);
  std::size_t entering(const std::vector<Number>& gains, bool first) const;
  std::size_t leaving(std::size_t column) const;
  void pivot(std::size_t row, std::size_t column, std::vector<Number>& gains);
  void drop_what_follows();

  Budget& budget_;
  std::size_t columns_, equations_;
  std::vector<Row> rows_;
  bool empty_ = false;
};

}  // namespace oddsbound::linear
