// What is measured: a domain, a channel on it, and (for the Bayesian notions) a prior.
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

// Who leaks what: the output and the two sides that show a level, so that a person can check it by hand.

/// One side of a comparison: a value or label, or the values of an input (or of several coordinates).
using Label = std::variant<std::string, std::vector<std::string>>;

/// Coordinates with the values that somebody knows.
using Evidence = std::vector<std::pair<std::string, std::string>>;

/// A prior that a witness is about, where the spec's is not meant: a member of a set of priors.
struct MemberPrior {
  std::vector<std::pair<std::vector<std::string>, Number>> rows;  // inputs that have mass, and how much; not normalized
  /// Under it the level is attained; else it lies above what the witness shows by a factor that is stated.
  bool attains = true;
  /// Where none does that can be written: the ends of a line on which priors come as near as one likes.
  std::vector<std::vector<std::pair<std::vector<std::string>, Number>>> line{};
};

struct Witness {
  std::vector<std::string> outputs;  // one output; for approximate_dp the outputs of the event
  Label from;
  Label to;
  Number p_from;
  Number p_to;
  std::string coordinate;                      // the coordinate whose values from and to are; empty for others
  Evidence given{};                               // what else is known of the person on both sides
  std::shared_ptr<const MemberPrior> prior{};  // whose probabilities these are; null: the spec's
  /// In place of outputs and probabilities: the order of a divergence between all outputs of the two sides, which is at
  /// least 1 (where it is the limit).
  std::optional<Number> order{};
  /// The probabilities are left out (0), for they would reveal a confidential table. `never` still says whether p_to
  /// was 0, `equal` whether both were the same.
  bool withheld = false;
  bool never = false;
  bool equal = false;

  bool shows_something() const { return !outputs.empty() || order; }
};

/// What is proven of a level whose search was stopped before it was found.
struct Unfinished {
  Level at_most;       // above what was found
  std::string reason;  // the limit that was reached
};

/// How a level was found.
enum class Way {
  kDirect,   // from the columns, or from the levels of the channel's parts
  kCases,    // followed from parts that share neither inputs nor outputs (engine/decompose.h)
  kSearch,   // outputs were searched (engine/output_search.h)
  kNetwork,  // along the cliques of a network (engine/network_search.h)
};

struct MeasuredLevel {
  Level at_least;  // shown by the witness: the level itself, unless it is unfinished
  /// A witness that is computed at access shows something. A stored one shows nothing if the search was stopped before
  /// it saw an output; at_least is then 0.
  Lazy<Witness> witness;
  Way way = Way::kDirect;
  std::optional<Unfinished> unfinished{};
  std::optional<std::uint64_t> nodes{};  // that a search opened
  bool rounded = false;                  // outward, for publication: at_least lies above the level if it is known

  const Level& at_most() const { return unfinished ? unfinished->at_most : at_least; }
  bool shows_something() const { return !witness.is_kept() || witness.get().shows_something(); }
};

/// What is known of a level: what was shown, and how far it may lie above.
struct KnownLevel {
  const Level& at_least;
  const std::optional<Unfinished>& unfinished;
  const Level& at_most() const { return unfinished ? unfinished->at_most : at_least; }
};
/// Of the larger of two, how far it may lie above the larger of what was shown, and why that is open.
std::optional<Unfinished> open_of_larger(const KnownLevel& a, const KnownLevel& b);
/// The nodes that both searches opened, as far as these are searched for.
std::optional<std::uint64_t> nodes_of_both(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b);

/// A level between two inputs, with the output split into those of the channel's factors.
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

/// log(p_from / p_to), where p_to = 0 is an infinite level. p_from > 0 and p_from >= p_to.
Level level_between(const Number& p_from, const Number& p_to);

}  // namespace oddsbound::model
