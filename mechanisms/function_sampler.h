// Samplers of functions of a mechanism's output.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "mechanisms/sampler.h"
#include "verifier/model/aggregate.h"

namespace oddsbound::mechanisms {

/// Returns the output of the function for an output of the mechanism, as Channel::split returns it.
using OutputFunction = std::function<std::uint64_t(std::span<const std::uint64_t>)>;

/// Returns a sampler that draws an output of `inner` and applies the function. Independent parts are drawn one by one.
SamplerPtr function_sampler(Stage inner, OutputFunction function);

/// Returns a sampler that draws all parts and aggregates their scores. results: possible_results() of the parts;
/// output_of: the output for each of them. samplers: one per part.
///
/// To the exhaustive check, the aggregate of a range of parts is a choice, which draws the aggregates of its two
/// halves. So the check enumerates pairs of aggregates and not all outputs of all parts.
SamplerPtr aggregate_sampler(const Domain& domain, Aggregate kind, const std::vector<ScoredPart>& parts,
                             const std::vector<SamplerPtr>& samplers, std::vector<std::int64_t> results,
                             std::vector<std::uint32_t> output_of);

}  // namespace oddsbound::mechanisms
