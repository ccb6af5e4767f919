// Sets of priors, for a prior that is not known exactly. The level over a set is the largest level over its
// members.
//
// For every kind of set the search goes output by output: the level is the largest quotient P(output | from) /
// P(output | to) over outputs, pairs of labels and members. Each kind of set is one file, with its own way to
// maximize the quotient for one output and one pair of labels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "verifier/model/definition.h"
#include "verifier/model/domain.h"
#include "verifier/model/prior.h"
#include "verifier/priors/definition.h"
#include "verifier/priors/line.h"

namespace oddsbound::priors {

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

// All kinds of sets of priors; one file each.

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
