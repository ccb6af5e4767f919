// Sets of priors, for a prior that is not known exactly. The level over a set is the largest level over its
// members.
//
// For every kind of set the search goes output by output: the level is the largest quotient P(output | from) /
// P(output | to) over outputs, pairs of labels and members. Each kind of set has its own way to
// maximize the quotient for one output and one pair of labels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/budget.h"
#include "verifier/exact/number.h"
#include "verifier/model/definition.h"
#include "verifier/model/domain.h"
#include "verifier/model/prior.h"
#include "verifier/priors/line.h"

namespace oddsbound::priors {

// The definition of a set, for other solvers.

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
/// 2^-50, unless it is below kLeastMean. Columns have one entry per place of the label: 0, in [kLeastEntry,
/// kMostEntry], or infinite. `elsewhere` bounds
/// the entries of all other inputs: from above for most(), where it is at least every entry, and from below for
/// least(), where it is at most every entry.
class MeanBounds {
 public:
  /// A weighted sum of a column's entries: weights of the label's first places (those of others are 0), and one of
  /// `elsewhere`.
  struct Weighted {
    std::vector<double> places{};
    double elsewhere = 0;
    bool never = false;  // no member of the part gives the label mass, so there is no mean
  };

  virtual ~MeanBounds() = default;
  virtual std::size_t parts() const = 0;
  /// Returns an upper bound of the mean given the label, over the members of the part that give it mass; 0 if
  /// there are none.
  virtual double most(std::size_t part, std::size_t label, std::span<const double> column, double elsewhere) const = 0;
  /// Sets a lower bound for every part; infinite if no member of the part gives the label mass.
  virtual void least(std::size_t label, std::span<const double> column, double elsewhere,
                     std::span<double> by_part) const = 0;
  /// Returns weights with which the sum is at least most(), for every column; nullopt if there are none. Each weight
  /// has a relative error of at most 2^-49 per place plus 2^-46. Sums over rows can be bounded for many outputs at once
  /// (engine/averaged_bound.h).
  virtual std::optional<Weighted> above(std::size_t /*part*/, std::size_t /*label*/) const { return std::nullopt; }
  /// The same for least(), from below.
  virtual std::optional<Weighted> below(std::size_t /*part*/, std::size_t /*label*/) const { return std::nullopt; }
};

inline constexpr double kNoMean = std::numeric_limits<double>::infinity();
/// No product of an entry, a mass and a share (rounded_mass) is subnormal: 1e-90 * 1e-100 * 1e-100.
inline constexpr double kLeastEntry = 1e-90, kMostEntry = 1e90;
/// Smaller means may be subnormal, with few correct digits: they count as 0.
inline constexpr double kLeastMean = 1e-290;

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

// Sets and their searches.

/// The inputs whose entries a column lists: all inputs of a partition, or those that a set names.
struct ColumnInputs {
  std::vector<std::vector<std::uint64_t>> inputs{};  // by label and place, ascending
  /// Set if the labels are the values of this coordinate. Then inputs at the same place differ only in it.
  std::optional<std::size_t> coordinate{};

  ColumnInputs() = default;
  ColumnInputs(const Partition& partition) : inputs(partition.members()) {  // NOLINT(google-explicit-constructor)
    if (partition.coordinates().size() == 1) coordinate = partition.coordinates()[0];
  }
};

/// A question about a set: the largest quotients between labels, at each of some outputs.
struct SetQuestion {
  const Domain& domain;
  const ColumnInputs& inputs;
  Number outputs;
  /// Number of such questions asked together, for different coordinates.
  std::size_t at_once = 1;
  /// False: `inputs` holds only some inputs of the domain (PriorSet::search).
  bool all_inputs = true;
};

/// Up to this number of inputs x outputs, a pass over the columns is quick, and exact for every kind of set.
inline constexpr std::uint64_t kQuickCells = std::uint64_t{1} << 20;

/// P(output | input) of one output, by label and place.
struct LabelledColumn {
  std::vector<std::vector<Number>> entries;
  struct Extremes {
    std::size_t largest = 0, smallest = 0;  // places; the first of equal ones
  };
  std::vector<Extremes> extremes;  // per label

  const Number& largest(std::size_t label) const { return entries[label][extremes[label].largest]; }
  const Number& smallest(std::size_t label) const { return entries[label][extremes[label].smallest]; }
};

/// Inputs of positive mass, in order.
using NumberedRows = std::vector<std::pair<std::uint64_t, Number>>;

/// A member of a set, not necessarily normalized.
struct Member {
  NumberedRows rows;
  bool attains = true;  // the largest quotient; false: comes near it (line.h)
  /// If no member that can be written attains it: members such that, if the set is convex, the members between
  /// them come arbitrarily near.
  std::vector<NumberedRows> line{};
};

/// An upper bound of the quotient over all members, and the reason why it may not be attained.
struct StoppedSearch {
  Ratio at_most;
  std::string reason;
};

/// Finds the largest quotient over a set, one output after the other.
class SetSearch {
 public:
  virtual ~SetSearch() = default;
  /// Sets the output of the following questions. The column must outlive them.
  virtual void look_at(const LabelledColumn& column) = 0;
  /// Returns the largest quotient over all members that give mass to both labels; nullopt if there are none.
  virtual std::optional<Ratio> largest(std::size_t from, std::size_t to) = 0;
  /// Returns true only if the quotient is at most this ratio for all members. The answer is quicker than
  /// largest(), or speeds it up.
  virtual bool is_at_most(std::size_t /*from*/, std::size_t /*to*/, const Ratio&) { return false; }
  /// Returns the proven bound if the last search for the largest quotient was stopped early; nullopt if it was
  /// exact.
  virtual std::optional<StoppedSearch> stopped() const { return std::nullopt; }
  /// Returns a member that shows the largest quotient. Does not depend on earlier questions.
  virtual Member member(std::size_t from, std::size_t to) = 0;
  /// Returns false if largest() is only a bound. Then a member with attains = false shows no more than its own
  /// quotient.
  virtual bool is_exact() const { return true; }
  /// Returns a proof that no member has a quotient above the bound; nullopt if one has or may have, or no proof
  /// can be written. The default is for sets whose maximum has a closed form.
  virtual std::optional<SetProof> proof(std::size_t from, std::size_t to, const Surd& bound) {
    const std::optional<Ratio> most = largest(from, to);
    if (most && *most > Ratio{bound}) return std::nullopt;
    return ByForm{};
  }
  /// Returns the proofs of the labels' masses, by label, for proofs with dual values.
  virtual std::vector<MassProof> mass_proofs() { return {}; }
};

/// The inputs for which a set has individual conditions. All other inputs of the domain are treated alike.
struct NamedInputs {
  std::vector<std::pair<std::uint64_t, Number>> rows;  // by input, with weights for the search for good outputs
  bool others = false;                                 // whether other inputs may have mass; any of them the same
};

class PriorSet {
 public:
  virtual ~PriorSet() = default;
  /// Returns the words that follow "for all": "priors whose correlation is at most 1/10".
  virtual std::string words() const = 0;
  /// Returns why the set does not apply to the question; empty if it does. about: a coordinate; nullopt: a secret.
  virtual std::string complaint(const Domain&, std::optional<std::size_t> /*about*/) const { return {}; }
  /// Returns the confidence with which the set contains the true prior; nullopt if it is certain.
  virtual std::optional<Number> confidence() const { return std::nullopt; }
  /// Returns the definition of the set, as a union; empty if no linear inequalities between masses define it.
  virtual std::vector<SetDefinition> definitions(const SetQuestion&, Budget&) const { return {}; }
  /// Returns a search. The question may contain only some inputs: the named ones and, if others may have mass, one
  /// input with the largest and one with the smallest entry of each label. Objects that the question refers to must
  /// outlive the search. Throws LimitError if the budget is exceeded.
  virtual std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget& budget) const = 0;

  // For products with too many inputs or outputs to enumerate (product_search.h).

  /// Returns the named inputs; nullopt if the set has conditions on every input.
  virtual std::optional<NamedInputs> named_inputs(Budget&) const { return std::nullopt; }
  /// Returns bounds of means for a question about the named inputs; null if there are none. Objects that the
  /// question refers to must outlive the bounds.
  virtual std::unique_ptr<MeanBounds> bounds(const SetQuestion&, Budget&) const { return nullptr; }
  /// Returns true if the quotient is largest at the output that maximizes every part's own quotient, provided that
  /// each part sees only the coordinate or only other coordinates.
  virtual bool is_largest_part_by_part() const { return false; }
};
using PriorSetPtr = std::shared_ptr<const PriorSet>;

// All kinds of sets of priors; a file for each kind, or for two that are alike.

/// All priors.
PriorSetPtr all_priors();
/// All priors with independent coordinates.
PriorSetPtr product_priors();
/// For a level of coordinate i: all priors with TV(P(others | x_i = a), P(others | x_i = b)) <= at_most[i] for all
/// a, b of positive mass (BCDP paper, eq. 13). nullopt: no condition for that coordinate is stated.
PriorSetPtr correlation_at_most(const Domain& domain, std::vector<std::optional<Number>> at_most);

/// (1 - share) center + share Q, where Q is any distribution on the domain, or on the inputs that have mass in the
/// center.
enum class Support { kDomain, kCenter };
PriorSetPtr contaminated(Prior center, const Number& share, Support support);
/// All priors within this total variation distance of the center.
PriorSetPtr total_variation_ball(Prior center, const Number& radius);
/// All priors proportional to w * center with 1/factor <= w <= factor for every input. Requires factor >= 1.
PriorSetPtr reweighted(Prior center, const Number& factor);
struct CellBounds {
  Number lower, upper;
};
/// Intervals of some inputs, in input order, and of all others.
struct CellIntervals {
  std::vector<std::pair<std::uint64_t, CellBounds>> rows;
  CellBounds others;

  const CellBounds& of(std::uint64_t input) const;
};
/// All priors with every cell in its interval; there must be one.
PriorSetPtr within_intervals(CellIntervals intervals);

/// The distribution of some coordinates: the probability of each assignment; the last coordinate varies fastest.
struct Marginal {
  std::vector<std::size_t> coordinates;
  std::vector<Number> cells;
};
/// Returns true if some prior has all these marginals. Throws LimitError if the budget is exceeded.
bool is_possible(const Domain& domain, const std::vector<Marginal>& marginals, Budget& budget);
/// All priors with these marginals; there must be one.
PriorSetPtr with_marginals(std::vector<Marginal> marginals);

/// All priors that a sample of independent draws does not refute. counts: draws by input, integers, as
/// Prior::from_weights takes them. The set contains the true prior with this confidence, a rational between 0 and
/// 1.
PriorSetPtr sampled(Prior counts, const Number& confidence);

/// A coordinate of a Bayesian network with tables known within intervals.
struct IntervalNode {
  struct Row {
    std::vector<Number> lower, upper;  // per value; some distribution is between them
  };
  std::size_t coordinate = 0;
  std::vector<std::size_t> parents;
  std::vector<Row> rows;  // per assignment of the parents; the last parent varies fastest
};
/// All priors of the network with rows in their intervals. Requires a node for every coordinate, and no cycles.
PriorSetPtr network_within(std::vector<IntervalNode> nodes);

/// Any one of these priors.
PriorSetPtr any_of(std::vector<Prior> priors);
/// Any mixture of these priors.
PriorSetPtr mixtures_of(std::vector<Prior> priors);
/// The posteriors of an adversary with prior `center` who has learned something that depends only on the
/// coordinates `about`.
PriorSetPtr side_knowledge(Prior center, std::vector<std::size_t> about);

}  // namespace oddsbound::priors
