// Bases of a linear program: which variables a vertex has. What a basis says is exact, whoever proposes it.
//
// A solver that works in doubles finds good ones (clp_bases.cpp). It is asked, and not believed: a basis counts for as
// much as its point and its prices, solved for exactly, turn out to be worth.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/number.h"

namespace oddsbound::linear {

/// A x = right, by the columns of A: the rows of their entries that are not zero, each once. right is nowhere negative.
struct Equations {
  std::vector<std::vector<std::pair<std::size_t, Number>>> columns;
  std::vector<Number> right;

  bool are_rational() const;
};

/// The variables that may be other than 0, and as many equations as say what they are.
struct Basis {
  std::vector<std::size_t> columns, rows;

  friend bool operator==(const Basis&, const Basis&) = default;
};

/// The point x >= 0 that the basis stands for, if it is one and has A x = right; else none. Whole, by column.
std::optional<std::vector<Number>> point_of(const Equations& equations, const Basis& basis);
/// A price per equation, 0 for those outside the basis, so that A^T prices is the form on the basis' columns; none if
/// it is below the form on others, or if there are no such prices.
std::optional<std::vector<Number>> prices_of(const Equations& equations, const Basis& basis,
                                             std::span<const Number> form);

/// A basis, and its prices more or less.
struct CandidateBasis {
  Basis basis;
  std::vector<double> duals;  // per equation
};

/// Who proposes bases.
class BasisSource {
 public:
  virtual ~BasisSource() = default;
  /// One that might have the largest value of the form on {x >= 0 : A x = right}; none if that is not known.
  virtual std::optional<CandidateBasis> propose(std::span<const double> form) = 0;
};

/// CLP's simplex method in doubles, which begins where its last question ended. It looks at the budget as it goes,
/// which outlives it, and gives up past it.
std::unique_ptr<BasisSource> clp_bases(const Equations& equations, const Budget& budget);

// Exact linear algebra over the rationals (FLINT).

using Matrix = std::vector<std::vector<Number>>;

/// Rows as columns. The matrix has at least one row.
Matrix transposed(const Matrix& matrix);

/// The reduced row echelon form of a matrix of rationals (rows of equal length). Throws NumberError for other numbers.
/// From column `scaled` on the entries have one common denominator while they are worked on, so that what they have in
/// the way of denominators does not make the columns before them longer.
Matrix reduced_row_echelon_form(const Matrix& matrix, std::size_t scaled = static_cast<std::size_t>(-1));

}  // namespace oddsbound::linear
