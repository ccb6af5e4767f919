// {x >= 0 : A x = right}, and the largest value of a linear form on it, decided exactly by the simplex method.
//
// The method keeps a vertex and the tableau that belongs to it, and walks from vertex to vertex; the next question
// begins where the last one ended. What it finds can be checked without it: a vertex attains the value, and prices
// show that no point has more.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/number.h"

namespace oddsbound::exact {

/// A x = right, by the columns of A: the rows of their entries that are not zero, each once. right is nowhere negative.
struct Equations {
  std::vector<std::vector<std::pair<std::size_t, Number>>> columns;
  std::vector<Number> right;
};

class Polytope {
 public:
  /// Finds a vertex if there is one. The polytope must be bounded. The budget outlives it; throws LimitError past it.
  Polytope(const Equations& equations, Budget& budget);

  bool is_empty() const { return empty_; }

  struct Optimum {
    Number value;
    /// Per row of the equations: right . prices is the value, and A^T prices is nowhere below the form.
    std::vector<Number> prices;
  };
  /// The largest value of form . x; vertex() then attains it. The polytope must not be empty.
  Optimum maximize(std::span<const Number> form);
  /// The vertex where the last question ended.
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
  void drop_what_follows(std::vector<Number>& gains);

  Budget& budget_;
  std::size_t columns_, equations_;
  std::vector<Row> rows_;
  bool empty_ = false;
};

}  // namespace oddsbound::exact
