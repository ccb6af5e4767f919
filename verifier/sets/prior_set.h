// Sets of priors: what is known of a prior that nobody knows exactly. A level over a set is the largest of all its
// members.
//
// Whatever the set, it is looked for one output at a time: a level is the largest quotient P(output given from) /
// P(output given to) over outputs, pairs of labels and members. Each kind of set (kinds.h) is one file with its way to
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
#include "verifier/sets/definition.h"
#include "verifier/sets/mean_bounds.h"
#include "verifier/sets/ratio.h"
#include "verifier/sets/set_proof.h"

namespace oddsbound::sets {

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

}  // namespace oddsbound::sets
