// Exact unbiased estimates about the inputs from collected outputs, with standard errors.
#pragma once

#include <cstddef>
#include <vector>

#include "base/namespaces.h"
#include "reports/estimate_result.h"
#include "specs/collected.h"
#include "specs/spec.h"

namespace oddsbound::app {

/// The coordinates of each requested estimate. If empty: the proportions of the inputs, if those are few and
/// identifiable. Otherwise the proportions of all identifiable coordinates, jointly if that is small, or one by one.
using Marginals = std::vector<std::vector<std::size_t>>;

/// The place of the coordinate. Throws ModelError if there is none of that name.
std::size_t place_of(const Domain& domain, const std::string& name);

/// Throws ModelError if there is no unbiased estimator of the requested quantities, or of any.
EstimateResult estimate(const Spec& spec, const CollectedOutputs& collected, Budget& budget,
                        const Marginals& marginals = {});

/// Plans for `outputs` outputs before any is collected: no estimates, only their expected errors.
EstimateResult plan(const Spec& spec, std::uint64_t outputs, Budget& budget, const Marginals& marginals = {});

/// The same of continuous outputs: nothing is known of their errors here.
EstimateResult plan(const Spec& spec, std::uint64_t outputs);

/// Plans for as few outputs as are proved to be enough for an expected total variation distance of at most `distance`,
/// a rational above 0. Throws ModelError if distances are not computed for this spec.
EstimateResult plan_for(const Spec& spec, const Number& distance, Budget& budget, const Marginals& marginals = {});

/// Averages of continuous outputs, rounded.
EstimateResult estimate(const Spec& spec, const CollectedVectors& collected);

}  // namespace oddsbound::app
