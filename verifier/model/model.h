// The object that is measured: a domain, a channel on it, and (for the Bayesian notions) a prior. Also levels and
// their witnesses.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "verifier/exact/level.h"
#include "verifier/model/channel.h"
#include "verifier/model/domain.h"
#include "verifier/model/prior.h"

namespace oddsbound::model {

// A value that is either stored or recomputed at each access. Witnesses of 30,000 coordinates hold two full inputs
// each; stored together they would take gigabytes.
template <typename T>
class Lazy {
 public:
  Lazy() = default;
  Lazy(T value) : kept_(std::make_shared<const T>(std::move(value))) {}

  /// make() must return the same value each time. The Lazy and all its copies own it.
  static Lazy made_by(std::function<T()> make) {
    Lazy lazy;
    lazy.make_ = std::move(make);
    return lazy;
  }

  bool is_kept() const { return !make_; }

  /// Returns the stored value; null if there is none, so that get() computes it or returns T{}.
  const T* kept() const { return kept_.get(); }

  T get() const { return make_ ? make_() : kept_ ? *kept_ : T{}; }

  /// Returns form(value): stored if this value is, otherwise recomputed at each access.
  template <typename Form>
  auto mapped(Form form) const -> Lazy<decltype(form(std::declval<T>()))> {
    using Other = decltype(form(std::declval<T>()));
    if (!make_) return form(get());
    return Lazy<Other>::made_by([make = make_, form = std::move(form)] { return form(make()); });
  }

  /// Applies change(value) to the stored value, or to every value computed from now on.
  template <typename Change>
  void update(Change change) {
    if (make_) {
      make_ = [make = std::move(make_), change = std::move(change)] {
        T value = make();
        change(value);
        return value;
      };
      return;
    }
    T value = get();
    change(value);
    kept_ = std::make_shared<const T>(std::move(value));
  }

 private:
  std::shared_ptr<const T> kept_;
  std::function<T()> make_;
};

struct Model {
  Domain domain;
  ChannelPtr channel;
  std::optional<Prior> prior;
};

// Witnesses: the output and the two sides that show a level, so that a person can check it by hand.

/// One side of a comparison: a value or label, or the values of an input (or of several coordinates).
using Label = std::variant<std::string, std::vector<std::string>>;
/// The side of all inputs under the prior, which no value narrows.
inline Label everyone() { return std::vector<std::string>(); }
inline bool is_everyone(const Label& label) {
  const auto* values = std::get_if<std::vector<std::string>>(&label);
  return values != nullptr && values->empty();
}

/// Coordinates with their known values.
using Evidence = std::vector<std::pair<std::string, std::string>>;

/// The prior of a witness if it is not the spec's: a member of a set of priors.
struct MemberPrior {
  std::vector<std::pair<std::vector<std::string>, Number>> rows;  // positive weights, not normalized
  /// True if this prior attains the level; otherwise the level exceeds what the witness shows by a stated factor.
  bool attains = true;
  /// If no prior that attains it can be written: the ends of a line on which priors come arbitrarily close.
  std::vector<std::vector<std::pair<std::vector<std::string>, Number>>> line{};
};

struct Witness {
  std::vector<std::string> outputs;  // one output; for approximate_dp the outputs of the event
  /// Both sides are everyone for an event of outputs with large lifts: p_from and p_to are its probability.
  Label from;
  Label to;
  Number p_from;
  Number p_to;
  std::string coordinate;                      // the coordinate that from and to are values of; empty for others
  Evidence given{};                            // what else is known of the person on both sides
  std::shared_ptr<const MemberPrior> prior{};  // the prior of these probabilities; null: the spec's
  /// Instead of outputs and probabilities: the order of a Renyi divergence over all outputs of the two sides, >= 1 (1
  /// is the limit).
  std::optional<Number> order{};
  /// The probabilities are withheld (0), because they would reveal a confidential table. `never` still states
  /// whether p_to was 0, `equal` whether both were equal.
  bool withheld = false;
  bool never = false;
  bool equal = false;

  /// In place of a list of outputs: the event of all outputs y with P(y given from) > e^epsilon P(y given to), for the
  /// epsilon of the claim, or for some epsilon if the claim has none.
  bool likelihood_event = false;
  /// The probabilities of this event are not known (0): the losses are too many to list, and delta is bounded.
  bool unlisted = false;

  /// For a range of losses: `outputs` has the output with the largest quotient p_from / p_to, and this is the output
  /// with the smallest one.
  struct Lowest {
    std::string output;
    Number p_from;
    Number p_to;
  };
  std::optional<Lowest> lowest{};

  /// Another input that can have the output, for a notion that allows outputs of one input only.
  struct Also {
    Label input;
    Number p;
  };
  std::optional<Also> also{};
  /// The output must be protected, because `from` is sensitive or `to` has it as well, but the claim says that it is
  /// not. The level is infinite, whatever the probabilities are.
  bool unprotected = false;

  /// For shuffled reports: the inputs of the other people, the same on both sides, and how many people have each.
  std::vector<std::pair<std::vector<std::string>, Number>> others{};

  bool shows_something() const { return !outputs.empty() || likelihood_event || order; }
};
/// True if the witness is about lifts: both sides are everyone.
inline bool is_of_lifts(const Witness& witness) { return is_everyone(witness.from) && is_everyone(witness.to); }

/// A bound on a level whose search was stopped early.
struct Unfinished {
  Level at_most;       // at least the level found so far
  std::string reason;  // the limit that was reached
};

/// How a level was found.
enum class Way {
  kDirect,   // from the columns, or from the levels of the channel's parts
  kCases,    // from parts that share neither inputs nor outputs (engine/decompose.h)
  kSearch,   // by a search over outputs (engine/output_search.h)
  kNetwork,  // along the cliques of a network (engine/network_search.h)
};

/// A level, as far as it is known, and what shows it. Levels between inputs, between groups of inputs, over a set of
/// priors and in results differ only in the form of their witness.
template <typename Shown>
struct FoundLevel {
  Level at_least;  // shown by the witness; equals the level unless it is unfinished
  /// A witness that is computed at access shows something. A stored one shows nothing if the search was stopped
  /// before it saw an output that does; then at_least is 0.
  Lazy<Shown> witness;
  Way way = Way::kDirect;
  std::optional<Unfinished> unfinished{};
  std::optional<std::uint64_t> nodes{};  // that a search opened
  bool rounded = false;                  // outward, for publication: at_least exceeds the level if it is known

  const Level& at_most() const { return unfinished ? unfinished->at_most : at_least; }
  bool shows_something() const {
    return !witness.is_kept() || (witness.kept() != nullptr && witness.kept()->shows_something());
  }
  /// Returns the level with its witness in another form: form(witness).
  template <typename Form>
  auto shown_as(Form form) const -> FoundLevel<decltype(form(witness.get()))> {
    return {at_least, witness.mapped(std::move(form)), way, unfinished, nodes, rounded};
  }
};

/// A level as results state it.
using MeasuredLevel = FoundLevel<Witness>;

/// An output and the two inputs whose probabilities of it are compared.
struct InputPair {
  std::vector<std::uint64_t> output;  // as Channel::split returns it
  InputRow from;
  InputRow to;
  bool shows_something() const { return !output.empty(); }
};
/// A level between two inputs.
using InputLevel = FoundLevel<InputPair>;

Witness witness_of(const Model& model, const InputPair& pair);
/// Returns the level as reported. Computes its witness.
MeasuredLevel measured(const Model& model, const InputLevel& level);

/// An output and its probabilities given two groups.
struct FoundOutput {
  std::vector<std::uint64_t> output;  // as Channel::split returns it; empty: none attains the level
  Number p_from;
  Number p_to;
  std::shared_ptr<const MemberPrior> prior{};  // as in Witness
  bool shows_something() const { return !output.empty(); }
};
/// A level between two groups of inputs (the values of a coordinate, or the labels of a secret), under a prior or over
/// a set of priors.
struct GroupLevel : FoundLevel<FoundOutput> {
  std::size_t from = 0;  // groups
  std::size_t to = 0;
  std::optional<Level> transport_bound{};  // of a search over outputs, before any output is fixed

  /// Sets the output, and the level. If p_from < p_to, which only an unfinished search and parts of a channel have,
  /// the output shows nothing: the level is 0.
  void attain(FoundOutput found);
};

/// Returns the level as reported, between two labels. coordinate: the one whose values they are, or empty.
MeasuredLevel measured(const Model& model, const GroupLevel& level, Label from, Label to, std::string coordinate);

/// Applies change(output) to the output of the witness, if there is one.
template <typename Shown, typename Change>
void change_output(FoundLevel<Shown>& level, Change change) {
  level.witness.update([change = std::move(change)](Shown& own) {
    if (own.shows_something()) change(own.output);
  });
}

/// Makes `largest` the larger level. If one is unfinished, the bounds of the result cover both.
template <typename Found>
void take_larger(Found& largest, Found other) {
  const Found& further = other.at_most() > largest.at_most() ? other : largest;
  std::optional<Unfinished> open;
  if (further.at_most() > std::max(largest.at_least, other.at_least)) open = further.unfinished;
  const std::optional<std::uint64_t> nodes = largest.nodes && other.nodes ? *largest.nodes + *other.nodes
                                             : largest.nodes              ? largest.nodes
                                                                          : other.nodes;
  const bool shows_first = !largest.shows_something() && other.shows_something();
  if (other.at_least > largest.at_least || shows_first) largest = std::move(other);
  largest.nodes = nodes;
  largest.unfinished = std::move(open);
}
/// The transport bound of the result, if both have one, covers both.
void take_larger(GroupLevel& largest, GroupLevel other);

/// Returns log(p_from / p_to), infinite if p_to = 0. Requires p_from > 0 and p_from >= p_to.
Level level_between(const Number& p_from, const Number& p_to);

}  // namespace oddsbound::model
