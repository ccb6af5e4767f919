// A halfspace that contains the people with a label, robust to a few flips of single attributes (partial-DP paper,
// Theorem 20, with another loss). Also whole releases as mechanisms, by enumeration of their outputs.
#pragma once

#include <memory>

#include "mechanisms/mechanism.h"
#include "mechanisms/random/distributions.h"
#include "releases/release.h"
#include "releases/step.h"
#include "releases/table.h"

namespace oddsbound::releases {

/// The weight of each input in a plane. An attribute counts as 1 with its second value and as -1 with its first.
/// People whose sum is at least 0 are predicted to have the label.
using Weights = std::vector<std::int64_t>;

inline constexpr std::size_t kMostPlanes = std::size_t{1} << 16;

struct HalfspaceRequest {
  Labeled people;               // inputs have two values each
  SmallRatio label_odds{3, 1};  // odds of keeping a label, above 1
  SmallRatio epsilon{1, 1};     // per input
  // A person counts against a plane by the flips after which they are on its wrong side: ...
  std::uint64_t margin = 1;        // ... not at all from this many on, ...
  std::uint64_t inner_margin = 0;  // ... fully up to this many (below margin), in proportion in between
  std::vector<Weights> planes{};   // the candidates
};

/// Returns all nonzero weights whose absolute values sum to at most `most_weight`. Throws LimitError past
/// kMostPlanes.
std::vector<Weights> planes_of(std::size_t inputs, std::uint64_t most_weight);

/// Returns the least number of flips of x (with entries -1 and 1) after which the plane puts it on the other side
/// than y. 0: it is there already. If no flips suffice, the number of inputs plus 1.
std::uint64_t flips_of(const std::vector<int>& x, int y, const Weights& plane);

/// Returns the step. Labels are randomized with odds label_odds, which gives y. Let u(x, y, w) = margin -
/// flips_of(x, y, w), clamped to 0..margin - inner_margin, and V(w) = sum over all people of odds * u(x, y, w) -
/// u(x, -y, w). The step chooses w with P ~ exp(-epsilon V / (2 D)). Given the true labels, the mean of V is (odds
/// - 1) times the sum of u. (The published u(x, y, w) alone prefers planes that are near to many people, right or
/// wrong.)
///
/// Privacy: a flip of x changes either number of flips by at most 1, and one of the two is 0. So V changes by at
/// most odds if both are at their bounds when x changes sides (inner_margin >= 1), else by at most odds + 1. D is
/// this bound, so a flip costs epsilon. A label costs log(label_odds), since everything else sees only the drawn
/// label.
StepPtr halfspace_step(HalfspaceRequest request);

// A whole release as a mechanism: its own code runs on every sequence of outcomes of its choices, for every table
// with a given number of people.

/// Returns the domain of tables with `people` records: coordinates "1.age", "1.ill", "2.age", ...
Domain domain_of_tables(const Domain& schema, std::size_t people);
/// Returns the release as a mechanism on domain_of_tables. Throws LimitError past the budget or for too many
/// tables or outputs, ModelError if a step draws random words outside of choices or cannot be run.
Mechanism release_mechanism(std::shared_ptr<const Release> release, std::size_t people, Budget& budget);

}  // namespace oddsbound::releases
