// The object that is measured: a domain, a channel on it, and (for the Bayesian notions) a prior. Also levels and
// their witnesses.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/lazy.h"
#include "verifier/exact/level.h"
#include "verifier/model/channel.h"
#include "verifier/model/domain.h"
#include "verifier/model/prior.h"

namespace oddsbound::model {

struct Model {
  Domain domain;
  ChannelPtr channel;
  std::optional<Prior> prior;
};

// Witnesses: the output and the two sides that show a level, so that a person can check it by hand.

/// One side of a comparison: a value or label, or the values of an input (or of several coordinates).
using Label = std::variant<std::string, std::vector<std::string>>;

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
  Label from;
  Label to;
  Number p_from;
  Number p_to;
  std::string coordinate;                      // the coordinate that from and to are values of; empty for others
  Evidence given{};                            // what else is known of the person on both sides
  std::shared_ptr<const MemberPrior> prior{};  // the prior of these probabilities; null: the spec's
  /// Instead of outputs and probabilities: the order of a divergence over all outputs of the two sides, >= 1 (1 is
  /// the limit).
  std::optional<Number> order{};
  /// The probabilities are withheld (0), because they would reveal a confidential table. `never` still states
  /// whether p_to was 0, `equal` whether both were equal.
  bool withheld = false;
  bool never = false;
  bool equal = false;

  bool shows_something() const { return !outputs.empty() || order; }
};

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

struct MeasuredLevel {
  Level at_least;  // shown by the witness; equals the level unless it is unfinished
  /// A witness that is computed at access shows something. A stored one shows nothing if the search was stopped
  /// before it saw an output; then at_least is 0.
  Lazy<Witness> witness;
  Way way = Way::kDirect;
  std::optional<Unfinished> unfinished{};
  std::optional<std::uint64_t> nodes{};  // that a search opened
  bool rounded = false;                  // outward, for publication: at_least exceeds the level if it is known

  const Level& at_most() const { return unfinished ? unfinished->at_most : at_least; }
  bool shows_something() const { return !witness.is_kept() || witness.get().shows_something(); }
};

/// The bounds known of a level: a lower bound that was shown, and an upper bound if the search is unfinished.
struct KnownLevel {
  const Level& at_least;
  const std::optional<Unfinished>& unfinished;
  const Level& at_most() const { return unfinished ? unfinished->at_most : at_least; }
};
/// Returns the upper bound on max(a, b) and the reason why it is open; nullopt if max(a, b) is known exactly.
std::optional<Unfinished> open_of_larger(const KnownLevel& a, const KnownLevel& b);
/// Returns the total of opened nodes; a search without a count does not contribute.
std::optional<std::uint64_t> nodes_of_both(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b);

/// The output that attains a level, and its probabilities given the two sides.
struct FoundOutput {
  std::vector<std::uint64_t> output;  // as Channel::split returns it
  Number p_from;
  Number p_to;
};

/// A level between two groups of inputs (the values of a coordinate, or the labels of a secret), under a prior.
struct FoundLevel {
  Level level;
  Lazy<FoundOutput> attained_by;
  std::size_t from = 0;  // groups
  std::size_t to = 0;
  Way way = Way::kDirect;
  std::optional<std::uint64_t> nodes{};    // that a search over outputs expanded
  std::optional<Level> transport_bound{};  // its transport bound before any output is fixed, if computed
  std::optional<Unfinished> unfinished{};  // if set, `level` is a lower bound, attained by the output
  /// False: no output seen attains a level. Then `level` is 0, and unfinished unless it is about a part of a channel.
  bool shown = true;

  /// Sets the output, and the level if p_from >= p_to.
  void attain(FoundOutput found);
  template <typename Change>
  void change_output(Change change) {
    attained_by.update([change = std::move(change)](FoundOutput& own) { change(own.output); });
  }
};

/// Makes `largest` the larger level. If one is unfinished, the bounds of the result cover both.
void take_larger(FoundLevel& largest, FoundLevel other);

/// A level between two inputs; the output is split into those of the channel's factors.
struct InputLevel {
  Level level;
  std::vector<std::uint64_t> output;
  InputRow from;
  InputRow to;
  bool by_cases = false;

  template <typename Change>
  void change_output(Change change) {
    change(output);
  }
};

Witness witness_of(const Model& model, const InputLevel& level);
MeasuredLevel measured(const Model& model, const InputLevel& level);

/// Returns log(p_from / p_to), infinite if p_to = 0. Requires p_from > 0 and p_from >= p_to.
Level level_between(const Number& p_from, const Number& p_to);

}  // namespace oddsbound::model
