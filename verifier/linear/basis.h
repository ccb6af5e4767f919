// Simplex bases of A x = right, x >= 0, solved exactly, and exact row reduction (FLINT).
//
// A solver in doubles (CLP, clp_bases.cpp) proposes bases. Nothing it returns is trusted: the point and the duals
// of a basis are recomputed exactly, and only these count.
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

/// A x = right, by the columns of A: (row, entry) pairs of the nonzero entries, each row at most once. right >= 0.
struct Equations {
  std::vector<std::vector<std::pair<std::size_t, Number>>> columns;
  std::vector<Number> right;

  bool are_rational() const;
};

/// A simplex basis: the basic columns and an equal number of rows that determine them.
struct Basis {
  std::vector<std::size_t> columns, rows;

  friend bool operator==(const Basis&, const Basis&) = default;
};

/// Returns the basic solution x, by column, if it exists, x >= 0 and A x = right; otherwise nullopt.
std::optional<std::vector<Number>> point_of(const Equations& equations, const Basis& basis);
/// Returns the duals y, one per equation and 0 outside the basis, with A^T y = form on the basic columns. Returns
/// nullopt if there are none, or if A^T y < form on some other column (the basis is not dual feasible).
std::optional<std::vector<Number>> duals_of(const Equations& equations, const Basis& basis,
                                            std::span<const Number> form);

/// A basis with its approximate duals.
struct CandidateBasis {
  Basis basis;
  std::vector<double> duals;  // per equation
};

/// A source of candidate bases.
class BasisSource {
 public:
  virtual ~BasisSource() = default;
  /// Returns a basis that may maximize the form on {x >= 0 : A x = right}; nullopt if the source has none.
  virtual std::optional<CandidateBasis> propose(std::span<const double> form) = 0;
};

/// Returns CLP's primal simplex method in doubles, warm-started from its last call. It checks the budget, which
/// outlives it, and returns nullopt past it.
std::unique_ptr<BasisSource> clp_bases(const Equations& equations, const Budget& budget);

// Exact linear algebra over the rationals (FLINT).

using Matrix = std::vector<std::vector<Number>>;

/// Returns the sum of a[k] * b[k]. `b` is at least as long as `a`.
Number dot(std::span<const Number> a, std::span<const Number> b);

/// Returns the transpose. The matrix has at least one row.
Matrix transposed(const Matrix& matrix);

/// Gauss-Jordan elimination of any numbers: the first `columns` columns become those of the identity matrix.
/// pivot(k) returns the row, from k on, with the pivot of column k. Returns false if it returns none.
template <class Entry, class Pivot>
bool eliminate(std::vector<std::vector<Entry>>& rows, std::size_t columns, Pivot pivot, Budget& budget) {
  for (std::size_t k = 0; k < columns; ++k) {
    const std::optional<std::size_t> chosen = pivot(k);
    if (!chosen) return false;
    std::swap(rows[k], rows[*chosen]);
    for (std::size_t j = rows[k].size(); j-- > k;) rows[k][j] /= rows[k][k];
    for (std::size_t x = 0; x < rows.size(); ++x) {
      if (x == k || rows[x][k].is_zero()) continue;
      budget.check_every();
      for (std::size_t j = rows[x].size(); j-- > k;) rows[x][j] -= rows[x][k] * rows[k][j];
    }
  }
  return true;
}

/// Returns the reduced row echelon form of a matrix of rationals (rows of equal length). Throws NumberError for
/// other numbers. During elimination the entries from column `scaled` on are multiplied by their common
/// denominator, so that these denominators do not enlarge the entries of the columns before.
Matrix reduced_row_echelon_form(const Matrix& matrix, std::size_t scaled = static_cast<std::size_t>(-1));

}  // namespace oddsbound::linear
