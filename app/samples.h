// Draws outputs, piece by piece.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "oddsbound/options.h"
#include "reports/run_plan_result.h"
#include "specs/spec.h"

namespace oddsbound::app {

/// Draws outputs and passes them to `take` in pieces, at least one. Stops and returns false if `take` returns false.
/// Only the limits threads and stop are used. The progress counts draws. Throws ModelError for requests that cannot
/// be drawn.
bool draw_samples(const Spec& spec, const InputList& inputs, const SampleOptions& options, const Context& context,
                  const std::function<bool(SampleResult)>& take);

/// The number of integers that represent an output: one per factor of a product, otherwise one.
std::size_t numbers_each(const Channel& channel);
/// The same draws as integers, for a mechanism with a channel.
void draw_numbers(const Spec& spec, const InputList& inputs, const SampleOptions& options, const Context& context,
                  std::span<std::uint64_t> numbers);

/// Returns inputs drawn from the spec's prior.
InputList inputs_from_prior(const Spec& spec, std::uint64_t count, std::optional<std::uint64_t> seed, Budget& budget);

}  // namespace oddsbound::app
