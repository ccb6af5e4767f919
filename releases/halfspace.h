// On which side of a plane people have a label, such that few flips of single attributes do not matter (partial-DP
// paper, Theorem 20, with another loss).
#pragma once

#include <memory>

#include "mechanisms/mechanism.h"
#include "mechanisms/random/discrete_noise.h"
#include "releases/release.h"
#include "releases/step.h"
#include "releases/table.h"

namespace oddsbound::releases {

/// A plane's weight of each input. Attributes count as 1 with their second value and as -1 with their first; who has a
/// sum of 0 at least is told to have the label.
using Weights = std::vector<std::int64_t>;

inline constexpr std::size_t kMostPlanes = std::size_t{1} << 16;

struct HalfspaceRequest {
  Labeled people;                  // inputs have two values each
  SmallRatio label_odds{3, 1};     // with which labels are kept, above 1
  SmallRatio epsilon{1, 1};        // of each input
  std::uint64_t margin = 1;        // an error is to stand this many flips away in full, ...
  std::uint64_t inner_margin = 0;  // ... and not at all this many, below margin
  std::vector<Weights> planes{};   // to choose from
};

/// All weights but 0 whose absolute values add up to so much at most. Throws LimitError past kMostPlanes.
std::vector<Weights> planes_of(std::size_t inputs, std::uint64_t most_weight);

/// How many flips of x (of -1 and 1) it takes at least until the plane puts it on the other side than y; one more than
/// there are inputs where none do. 0: it does already.
std::uint64_t flips_of(const std::vector<int>& x, int y, const Weights& plane);

/// Labels are drawn again with odds label_odds: y. With u(x, y, w) = margin - flips_of(x, y, w), moved into 0..margin -
/// inner_margin, and V(w) the sum of odds * u(x, y, w) - u(x, -y, w) over all people, w is chosen with P ~ exp(-epsilon
/// V / (2 D)). Given the true labels V is odds - 1 times the sum of u on average. (The published u(x, y, w) alone
/// prefers planes that are near to many people, right or wrong.)
///
/// A flip of x changes either number of flips by at most 1, of which one is 0: V by odds at most if both are at their
/// bounds where x changes sides (inner_margin >= 1), else by odds + 1. That is D, so a flip costs epsilon. A label
/// costs log(label_odds), since all else sees the drawn one.
StepPtr halfspace_step(HalfspaceRequest request);

// The whole of a release as a mechanism: its own code, walked through on every sequence of outcomes of its choices, for
// every table of so many people.

/// Tables of so many people: coordinates "1.age", "1.ill", "2.age", ...
Domain domain_of_tables(const Domain& schema, std::size_t people);
/// On domain_of_tables. Throws LimitError past the budget, also where tables or outputs are too many, ModelError if a
/// step draws past choices or cannot be run.
Mechanism release_mechanism(std::shared_ptr<const Release> release, std::size_t people, Budget& budget);

}  // namespace oddsbound::releases
