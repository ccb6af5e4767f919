// Sets of priors by their definitions (for other solvers), bounds of means over a set (for the search over
// outputs), and proofs that no member exceeds a bound (for checkers).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "verifier/exact/number.h"
#include "verifier/priors/line.h"

namespace oddsbound::priors {

/// Priors that are linear in non-negative unknowns, which satisfy some linear equations and inequalities.
struct SetDefinition {
  using Form = std::vector<std::pair<std::size_t, Number>>;  // a linear form: unknowns with factors
  struct Row {
    Form form;
    Number right;
    bool equal = false;  // false: form <= right
  };

  std::size_t unknowns = 0;
  std::vector<Form> cells;  // the mass of every input, in input order; not necessarily normalized
  std::vector<Row> rows;

  std::size_t unknown() { return unknowns++; }
  /// Returns the definition with one unknown per input, its mass.
  static SetDefinition of_cells(std::uint64_t inputs);
  /// Requires that all cells sum to 1.
  void normalize();
  void at_most(Form form, const Number& right) { rows.push_back({std::move(form), right}); }
  void equal(Form form, const Number& right) { rows.push_back({std::move(form), right, true}); }
  /// Requires sum |a_k - b_k| <= right, where a_k - b_k = form - shift.
  void distances_at_most(const std::vector<std::pair<Form, Number>>& differences, const Number& right);
};

// Bounds of means over a set of priors, for any output. The search over the outputs of a product discards nodes
// with them (product_search.h).
//
// A set is cut into parts, so that a quantity shared by the labels (the wrong mass, the weights of a mixture) has
// bounds in each part. Within a part every label is bounded on its own: no member of the part has a larger mean of
// a column given one label, nor a smaller mean given another. The parts need not cover members that attain the
// largest quotient at no output.

/// Computed in doubles: a result may be off to the wrong side by a relative error of at most 2^-50 per place plus
/// 2^-50. Columns have one entry per place of the label: 0, in [1e-150, 1e150], or infinite. `elsewhere` bounds
/// the entries of all other inputs: from above for most(), where it is at least every entry, and from below for
/// least(), where it is at most every entry.
class MeanBounds {
 public:
  virtual ~MeanBounds() = default;
  virtual std::size_t parts() const = 0;
  /// Returns an upper bound of the mean given the label, over the members of the part that give it mass; 0 if
  /// there are none.
  virtual double most(std::size_t part, std::size_t label, std::span<const double> column, double elsewhere) const = 0;
  /// Sets a lower bound for every part; infinite if no member of the part gives the label mass.
  virtual void least(std::size_t label, std::span<const double> column, double elsewhere,
                     std::span<double> by_part) const = 0;
};

inline constexpr double kNoMean = std::numeric_limits<double>::infinity();

/// Masses by label and place, in doubles.
struct RoundedCells {
  std::vector<std::vector<double>> cells;
  std::vector<double> masses;
};
/// Returns an exact mass as a double. Throws LimitError if it is not 0 and outside (1e-100, 1e100).
double rounded_mass(const Number& mass);
RoundedCells rounded_cells(const std::vector<std::vector<Number>>& cells, const std::vector<Number>& masses);

/// Returns the sum of cells[k] * column[k].
double sum_over(std::span<const double> cells, std::span<const double> column);

/// An entry of a column, and the mass of its input.
struct EntryMass {
  double entry, mass;
};
/// Returns the entries that have mass, the largest first or the smallest first. Valid until the next call in this
/// thread.
std::span<const EntryMass> by_entry(std::span<const double> cells, std::span<const double> column, bool largest_first);

// Proofs that no member of a set has a quotient above a bound, at one output and for one pair of labels. A checker
// verifies them without maximizing (docs/certificates.md gives the conditions and why they suffice).
//
// Quotients are P(output | from) / P(output | to). Each kind of set has its own kind of proof.

/// Needs no data: the maximum over the set has a closed form.
struct ByForm {};

/// For marginal tables: a dual value for each nonzero cell of the tables, in their order. Two conditions. For
/// every input, the dual values of its cells sum to at least P(output | input) if its label is `from`, to at least
/// -bound * mass(from) / mass(to) * P(output | input) if its label is `to`, and to at least 0 otherwise. The sum
/// of dual value * cell over all cells is at most 0. Empty: one of the labels has no mass.
struct ByPrices {
  std::vector<Number> duals;
};

/// For mixtures: the indices of pairs of priors whose mixed term is negative, but in absolute value at most twice
/// the geometric mean of their own terms.
struct BySquares {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
};

/// For a sample: the bets against a larger quotient (QuotientBound in bets.h).
struct ByBets {
  Number slope, shift;
};

/// For a sample in which a label's inputs have two entries: lower limits of the probability of the smaller entry
/// given `from`, and of the larger entry given `to`.
struct ByLimits {
  Number from, to;
};

/// For a network, or a part of its rows: increasing means. The first is at most bound * P(output | to), the last
/// is at least P(output | from), and each share proves that no mean between its two neighbors separates them
/// (row_proof.h).
struct MeanCuts {
  std::vector<Number> means;
  std::vector<Number> shares;  // one fewer than means
};
/// A row of a coordinate's table, split in two at a value of one entry; or into all its extreme points, if the
/// masses of the labels do not depend on the row.
struct RowSplit {
  std::size_t coordinate, row;
  std::optional<std::pair<std::size_t, Number>> at;
  std::vector<std::vector<Number>> points;
};
struct RowProof {
  std::variant<MeanCuts, RowSplit> why;
  std::vector<RowProof> parts;  // of the split, in its order
};
/// bound: at most the claimed bound. order: the order of coordinates, parents first, in which sums are folded.
struct ByRows {
  Number bound;
  std::vector<std::size_t> order;
  RowProof proof;
};

using SetProof = std::variant<ByForm, ByPrices, BySquares, ByBets, ByLimits, ByRows>;

/// Proof of the mass of a label by marginal tables, as dual values of their cells. at_most: the dual values of an
/// input's cells sum to at least 1 if it has the label, otherwise to at least 0; this bounds the mass from above.
/// at_least: the same with -1, which bounds it from below.
struct MassProof {
  std::vector<Number> at_most, at_least;
};

}  // namespace oddsbound::priors
