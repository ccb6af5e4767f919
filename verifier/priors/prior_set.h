// Sets of priors: what is known of a prior that nobody knows exactly. A level over a set is the largest of all its
// members.
//
// Whatever the set, it is looked for one output at a time: a level is the largest quotient P(output given from) /
// P(output given to) over outputs, pairs of labels and members. Each kind of set (prior_set.h) is one file with its way to
// find the largest quotient of one output and one pair.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "verifier/model/domain.h"
#include "verifier/model/prior.h"
#include "verifier/priors/definition.h"
#include "verifier/priors/line.h"

namespace oddsbound::priors {

/// The inputs of a domain by label: by the value of a coordinate, or by the label of a secret.
struct LabelledInputs {
  std::vector<std::vector<std::uint64_t>> inputs;  // per label
  /// Whose values the labels are: then inputs at the same place differ in it alone.
  std::optional<std::size_t> coordinate;
};

/// What is asked of a set: largest quotients between labels, at each of some outputs.
struct SetQuestion {
  const Domain& domain;
  const LabelledInputs& inputs;
  Number outputs;
  /// As many such questions are asked at once, of other coordinates.
  std::size_t at_once = 1;
  /// Else about some of them (PriorSet::search).
  bool all_inputs = true;
};

/// Up to as many inputs x outputs a pass over columns is quick, and exact whatever the set.
inline constexpr std::uint64_t kQuickCells = std::uint64_t{1} << 20;

/// P(output given input) of one output, by label and place.
struct LabelledColumn {
  std::vector<std::vector<Number>> entries;
  struct Extremes {
    std::size_t largest = 0, smallest = 0;  // places, the first of equals
  };
  std::vector<Extremes> extremes;  // per label

  const Number& largest(std::size_t label) const { return entries[label][extremes[label].largest]; }
  const Number& smallest(std::size_t label) const { return entries[label][extremes[label].smallest]; }
};

/// Inputs that have mass, in their order.
using NumberedRows = std::vector<std::pair<std::uint64_t, Number>>;

/// A member of a set; it need not be normalized.
struct Member {
  NumberedRows rows;
  bool attains = true;  // the largest quotient; else it comes near (line.h)
  /// Where none does that can be written: members between which lie those that come as near as one likes, if the set is
  /// convex.
  std::vector<NumberedRows> line{};
};

/// No member has a larger quotient than this, and why it is not known whether one has it.
struct StoppedSearch {
  Ratio at_most;
  std::string reason;
};

/// Looks for the largest quotient over a set, one output after the other.
class SetSearch {
 public:
  virtual ~SetSearch() = default;
  /// The output that is asked about next. The column outlives the questions.
  virtual void look_at(const LabelledColumn& column) = 0;
  /// The largest quotient over all members under which both labels have mass; none if there are none.
  virtual std::optional<Ratio> largest(std::size_t from, std::size_t to) = 0;
  /// True: the quotient is at most that, over all members. False: it may be larger; the answer is quicker than that of
  /// largest(), or helps it.
  virtual bool is_at_most(std::size_t /*from*/, std::size_t /*to*/, const Ratio&) { return false; }
  /// Where the search for what was called largest was stopped; none: that is exact.
  virtual std::optional<StoppedSearch> stopped() const { return std::nullopt; }
  /// A member that shows it, the same whatever was asked before.
  virtual Member member(std::size_t from, std::size_t to) = 0;
  /// Else what is called largest is a bound, and a member that does not attain it shows what it shows.
  virtual bool is_exact() const { return true; }
  /// Why no member has a quotient above the bound. None: one has, or may have, or nothing that can be written says so.
  virtual std::optional<SetProof> proof(std::size_t /*from*/, std::size_t /*to*/, const Surd& /*bound*/) {
    return std::nullopt;
  }
  /// By label: what shows its mass, where proofs have prices.
  virtual std::vector<MassProof> mass_proofs() { return {}; }
};

/// What a set says input by input; about all others of the domain it says one and the same.
struct NamedInputs {
  std::vector<std::pair<std::uint64_t, Number>> rows;  // by input; how much they weigh for who looks for good outputs
  bool others = false;                                 // may have mass too, any of them as much as another
};

class PriorSet {
 public:
  virtual ~PriorSet() = default;
  /// What follows "for all": "priors whose correlation is at most 1/10".
  virtual std::string words() const = 0;
  /// Why it says nothing about what is asked; empty if it does. about: a coordinate; none: a secret.
  virtual std::string complaint(const Domain&, std::optional<std::size_t> /*about*/) const { return {}; }
  /// Of a set that has the true prior in it with some confidence only: that confidence.
  virtual std::optional<Number> confidence() const { return std::nullopt; }
  /// The set by its definition: members of any of these. None: no inequalities between masses say what belongs to it.
  virtual std::vector<SetDefinition> definitions(const SetQuestion&, Budget&) const { return {}; }
  /// The question may be about some inputs alone: those that are named and, if others may have mass, of each label one
  /// with the largest and one with the smallest entry. What the question refers to outlives the search. Throws
  /// LimitError past the budget.
  virtual std::unique_ptr<SetSearch> search(const SetQuestion& question, Budget& budget) const = 0;

  // For products of too many inputs or outputs to go through (product_search.h).

  /// None: the set has something to say about every input.
  virtual std::optional<NamedInputs> named_inputs(Budget&) const { return std::nullopt; }
  /// The question is about the named inputs. What it refers to outlives the bounds. Null: there are none.
  virtual std::unique_ptr<MeanBounds> bounds(const SetQuestion&, Budget&) const { return nullptr; }
  /// Who has these bounds can check that a search was complete: they are known, as closed forms of the set.
  virtual bool has_known_bounds() const { return false; }
  /// The quotient is largest at an output each part of which has the largest quotient of its own, if parts see the
  /// coordinate alone or not at all.
  virtual bool is_largest_part_by_part() const { return false; }
};
using PriorSetPtr = std::shared_ptr<const PriorSet>;

// All kinds of sets of priors, one file each.

/// Every prior.
PriorSetPtr all_priors();
/// Every prior under which coordinates are independent.
PriorSetPtr product_priors();
/// For a level of coordinate i, every prior under which what the others are is known so well whatever coordinate i is:
/// the total variation between pi(others | a) and pi(others | b) is at most at_most[i], for all a and b that have mass.
/// None: the set says nothing about that coordinate. (BCDP paper, equation 13.)
PriorSetPtr correlation_at_most(const Domain& domain, std::vector<std::optional<Number>> at_most);

/// (1 - share) center + share anything, where anything is a distribution on the domain, or on the inputs that have mass
/// in the center.
enum class Support { kDomain, kCenter };
PriorSetPtr contaminated(Prior center, const Number& share, Support support);
/// Every prior within this total variation of the center.
PriorSetPtr total_variation_ball(Prior center, const Number& radius);
/// Every prior proportional to w * center with 1/factor <= w <= factor, input by input. factor >= 1.
PriorSetPtr reweighted(Prior center, const Number& factor);
struct CellBounds {
  Number lower, upper;
};
/// Of some inputs, in their order, and of every other one.
struct CellIntervals {
  std::vector<std::pair<std::uint64_t, CellBounds>> rows;
  CellBounds others;

  const CellBounds& of(std::uint64_t input) const;
};
/// Every prior each cell of which lies in its interval; some prior is one.
PriorSetPtr within_intervals(CellIntervals intervals);

/// The distribution of some coordinates: the probability of each assignment, the last coordinate fastest.
struct Marginal {
  std::vector<std::size_t> coordinates;
  std::vector<Number> cells;
};
/// Whether some prior has all of these. Throws LimitError past the budget.
bool is_possible(const Domain& domain, const std::vector<Marginal>& marginals, Budget& budget);
/// Every prior that has all of these; there is one.
PriorSetPtr with_marginals(std::vector<Marginal> marginals);

/// Every prior that a sample does not speak against: independent draws, by the input that was drawn. The true prior is
/// one with the confidence, a rational between 0 and 1. counts: integers, as Prior::from_weights takes them.
PriorSetPtr sampled(Prior counts, const Number& confidence);

/// A coordinate of a Bayesian network whose tables are known within intervals.
struct IntervalNode {
  struct Row {
    std::vector<Number> lower, upper;  // per value; some distribution lies between them
  };
  std::size_t coordinate = 0;
  std::vector<std::size_t> parents;
  std::vector<Row> rows;  // per assignment of the parents, the last one fastest
};
/// Every prior of the network with rows that lie in their intervals. A node for every coordinate, no circles.
PriorSetPtr network_within(std::vector<IntervalNode> nodes);

/// Any of these.
PriorSetPtr any_of(std::vector<Prior> priors);
/// Any mixture of these.
PriorSetPtr mixtures_of(std::vector<Prior> priors);
/// What somebody believes who believed the center and learned something that depends on some coordinates alone.
PriorSetPtr side_knowledge(Prior center, std::vector<std::size_t> about);

}  // namespace oddsbound::priors
