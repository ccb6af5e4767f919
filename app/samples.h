// Draws outputs, piece by piece.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "reports/run_plan_result.h"
#include "specs/spec.h"

namespace oddsbound::app {

struct SampleRequest {
  const InputList* inputs = nullptr;  // inputs to draw for, in order; null: none
  std::uint64_t count = 1;            // draws per input
  std::optional<std::uint64_t> seed;
  bool tally = false;  // outputs with counts, not every draw
};

/// Draws outputs and passes them to `take` in pieces, at least one. Stops and returns false if `take` returns false.
/// limits: only threads and stop are used. progress: called with the number of draws. Throws ModelError for requests
/// that cannot be drawn.
bool draw_samples(const Spec& spec, const SampleRequest& request, const Limits& limits,
                  const std::function<bool(SampleResult)>& take,
                  const std::function<void(std::uint64_t done, std::uint64_t of)>& progress = {});

/// The number of integers that represent an output: one per factor of a product, otherwise one.
std::size_t numbers_each(const Channel& channel);
/// The same draws as integers, for a mechanism with a channel.
void draw_numbers(const Spec& spec, const SampleRequest& request, const Limits& limits,
                  std::span<std::uint64_t> numbers,
                  const std::function<void(std::uint64_t done, std::uint64_t of)>& progress = {});

/// Returns inputs drawn from the spec's prior.
InputList inputs_from_prior(const Spec& spec, std::uint64_t count, std::optional<std::uint64_t> seed, Budget& budget);

}  // namespace oddsbound::app
