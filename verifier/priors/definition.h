// Sets of priors by their bare definitions, for whoever looks at them another way than the searches do.
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

/// Priors that are linear in some unknowns, none of which is negative, and which meet some inequalities.
struct SetDefinition {
  using Form = std::vector<std::pair<std::size_t, Number>>;  // multiples of unknowns, to be added
  struct Row {
    Form form;
    Number right;
    bool equal = false;  // else at most that
  };

  std::size_t unknowns = 0;
  std::vector<Form> cells;  // the mass of every input, in input order; a member need not be normalized
  std::vector<Row> rows;

  std::size_t unknown() { return unknowns++; }
  /// One for every input: its mass.
  static SetDefinition of_cells(std::uint64_t inputs);
  /// All cells come to 1.
  void normalize();
  void at_most(Form form, const Number& right) { rows.push_back({std::move(form), right}); }
  void equal(Form form, const Number& right) { rows.push_back({std::move(form), right, true}); }
  /// sum |a_k - b_k| <= right, where a_k - b_k = form - shift.
  void distances_at_most(const std::vector<std::pair<Form, Number>>& differences, const Number& right);
};

// Means over a set of priors, bounded whatever the output: what a search over the outputs of a product discards by
// (product_search.h).
//
// A set is cut into parts, so that what its labels share (the mass that is wrong, the weights of a mixture) lies within
// bounds of its own in each. Within a part labels are bounded on their own: no member of the part has a larger mean of
// a column given one label, nor a smaller one given another. Members that have the largest quotient at no output need
// not lie in any part.

/// In doubles: results are off to the wrong side by a relative error of 2^-50 for each place and once more at most.
/// Columns have one entry for every place of the label, 0 or between 1e-150 and 1e150, or infinite; `elsewhere`: what
/// every other input has at most (at least), not below (above) any entry.
class MeanBounds {
 public:
  virtual ~MeanBounds() = default;
  virtual std::size_t parts() const = 0;
  /// What the mean given the label is at most under any member of the part under which it has mass; 0 if none has.
  virtual double most(std::size_t part, std::size_t label, std::span<const double> column, double elsewhere) const = 0;
  /// What it is at least, for every part; infinite where no member gives the label mass.
  virtual void least(std::size_t label, std::span<const double> column, double elsewhere,
                     std::span<double> by_part) const = 0;
};

inline constexpr double kNoMean = std::numeric_limits<double>::infinity();

/// Masses by label and place, in doubles.
struct RoundedCells {
  std::vector<std::vector<double>> cells;
  std::vector<double> masses;
};
/// What an exact mass is in doubles; of one that is not 0 at least 1e-100, else throws LimitError.
double rounded_mass(const Number& mass);
RoundedCells rounded_cells(const std::vector<std::vector<Number>>& cells, const std::vector<Number>& masses);

/// The sum of masses times entries.
double sum_over(std::span<const double> cells, std::span<const double> column);

/// Masses with the entries they have.
struct EntryMass {
  double entry, mass;
};
/// Those that have mass, the largest entries first (or the smallest). Valid until the thread asks again.
std::span<const EntryMass> by_entry(std::span<const double> cells, std::span<const double> column, bool largest_first);

// Why no member of a set has a larger quotient than a bound, at one output and between two labels: for whoever checks
// it without looking for what is largest (docs/certificates.md says how, and why it is enough).
//
// Quotients are P(output given from) / P(output given to). No two kinds of sets need to be told the same.

/// Nothing but the set itself: what is largest has a closed form.
struct ByForm {};

/// Of tables: a price for each of their cells that is not 0, in their order. The prices of an input's cells are
/// together not below P(output | input) of one with the label `from`, minus bound * mass of `from` / mass of `to` times
/// that of one with the label `to`; those of all cells, times what these hold, are together not above 0. None: one of
/// the labels has no mass.
struct ByPrices {
  std::vector<Number> prices;
};

/// Of mixtures: by the numbers of what is mixed, two of which the mixed term is negative for, and not above the root of
/// the product of their own terms.
struct BySquares {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
};

/// Of a sample: what is staked against a larger quotient (QuotientBound in bets.h).
struct ByBets {
  Number slope, shift;
};

/// Of a sample, where a label's inputs have two entries: how likely the smaller one is given `from` at least, and the
/// larger one given `to`.
struct ByLimits {
  Number from, to;
};

/// Of a network, or of a part of what its rows may be: means, the first not above bound * P(output given to), the last
/// not below P(output given from), and between each two of them a share (row_proof.h).
struct MeanCuts {
  std::vector<Number> means;
  std::vector<Number> shares;  // one fewer
};
/// A row of a coordinate's table, in two where a value's entry is a number; or all of its extreme points, if what
/// labels weigh does not depend on it.
struct RowSplit {
  std::size_t coordinate, row;
  std::optional<std::pair<std::size_t, Number>> at;
  std::vector<std::vector<Number>> points;
};
struct RowProof {
  std::variant<MeanCuts, RowSplit> why;
  std::vector<RowProof> parts;  // of what is split, in its order
};
/// bound: not above that which is claimed; order: of coordinates, parents first, in which sums are folded.
struct ByRows {
  Number bound;
  std::vector<std::size_t> order;
  RowProof proof;
};

using SetProof = std::variant<ByForm, ByPrices, BySquares, ByBets, ByLimits, ByRows>;

/// What tables say of the mass of a label: prices of their cells, as above. Those of an input's cells are together not
/// below 1 if it has the label, else not below 0, and show what it is at most; likewise -1, and what it is at least.
struct MassProof {
  std::vector<Number> at_most, at_least;
};

/// Where what is largest has a closed form: whether it is above the bound is all there is to know.
inline std::optional<SetProof> by_form(const std::optional<Ratio>& largest, const Surd& bound) {
  if (largest && *largest > Ratio{bound}) return std::nullopt;
  return ByForm{};
}

}  // namespace oddsbound::priors
