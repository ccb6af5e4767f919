// The simplex method in exact numbers: a vertex and the tableau that belongs to it, from which one walks to better
// ones.
//
// It needs nobody's word: this is what decides where bases that others propose are not good enough (linear_program.h), and
// where numbers are not rational.
#pragma once

#include "verifier/linear/basis.h"

namespace oddsbound::linear {

class Tableau {
 public:
  /// Finds a vertex if there is one. The polytope must be bounded. The budget outlives it; throws LimitError past it.
  /// at: the columns of a point that was found (point_of), where it begins.
  Tableau(const Equations& equations, Budget& budget, const std::vector<std::size_t>* at = nullptr);

  bool is_empty() const { return empty_; }
  /// Goes to the point of a basis that was found to have one (point_of), by its columns.
  void move_to(const std::vector<std::size_t>& columns);
  /// Walks to where the form is largest, which the tableau's vertex is then. The polytope must not be empty.
  /// Returns a price per equation: right . prices is the value, and A^T prices is nowhere below the form.
  std::vector<Number> maximize_from(std::span<const Number> form);
  std::vector<Number> vertex() const;

 private:
  struct Row {
    std::vector<Number> entries;  // of all columns, then one for each equation: what of it is in this row
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
