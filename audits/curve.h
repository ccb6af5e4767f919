// Lower bounds of the (epsilon, delta) curve of a running sampler, at several epsilon together.
//
// For every pair of inputs and every event R, delta(epsilon) >= P(R given from) - e^epsilon P(R given to). A pilot
// proposes one pair, and an event for each epsilon. Fresh runs of the two inputs serve all epsilon: each needs only the
// number of runs in its own event. With m epsilon, Clopper-Pearson limits of both probabilities have an error of
// alpha / (2 m), so all bounds hold together (Bonferroni). Playing one game for each epsilon (game.h) would divide the
// runs by m; the DKW inequality has an additive error, which e^epsilon multiplies (docs/mathematics-audits.md).
#pragma once

#include "audits/outcomes.h"

#include <span>
#include <vector>

#include "audits/measure.h"
#include "specs/spec.h"

namespace oddsbound::audits {

/// A curve is audited at no more epsilon than this.
constexpr std::size_t kMostCurvePoints = 100;

struct CurveBound {
  Level epsilon;
  std::vector<bool> event;               // [output]
  std::uint64_t in_from = 0, in_to = 0;  // fresh runs in the event
  Number at_least;                       // a decimal, rounded down
};

struct CurveEvidence {
  std::uint64_t from = 0, to = 0;            // inputs, by their numbers
  std::uint64_t runs_from = 0, runs_to = 0;  // fresh ones
  std::vector<CurveBound> bounds;            // by increasing epsilon; empty if the audit was interrupted
  std::vector<Tally> stages;                 // counts per input of the pilot, and of the fresh runs
  Interruption interrupted;
};

/// Returns the fields of an `approximate_dp` claim that compares the same inputs as the spec's first one; any two
/// inputs if it has none. Epsilon and delta are 0.
Arguments arguments_of_curve(const Spec& spec);

/// Makes options.samples runs. All bounds hold with an error of alpha_of_levels(options.alpha, 1). Throws ModelError if
/// outputs are not counted, if no inputs are compared, or for an epsilon that is infinite.
CurveEvidence measure_curve(const Spec& spec, Runner& runner, std::span<const Level> epsilons,
                            const AuditOptions& options, Budget& budget, const AuditProgress& progress = {});

}  // namespace oddsbound::audits
