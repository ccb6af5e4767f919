// Drawn outputs, piece by piece.
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
  const InputList* inputs = nullptr;  // drawn for one after another; null: none
  std::uint64_t count = 1;            // draws per input
  std::optional<std::uint64_t> seed;
  bool tally = false;  // outputs with counts instead of every draw
};

/// Draws and hands over pieces, at least one; stops when `take` says false, and says so. limits: threads, and a stop;
/// others do not end it. progress: told how many are drawn. Throws ModelError for what cannot be drawn.
bool draw_samples(const Spec& spec, const SampleRequest& request, const Limits& limits,
                  const std::function<bool(SampleResult)>& take,
                  const std::function<void(std::uint64_t done, std::uint64_t of)>& progress = {});

/// How many numbers say an output: one for each factor of a product, else the one that it has.
std::size_t numbers_each(const Channel& channel);
/// The same draws of a mechanism that has a channel, as numbers.
void draw_numbers(const Spec& spec, const SampleRequest& request, const Limits& limits,
                  std::span<std::uint64_t> numbers,
                  const std::function<void(std::uint64_t done, std::uint64_t of)>& progress = {});

/// Inputs drawn from the spec's prior.
InputList inputs_from_prior(const Spec& spec, std::uint64_t count, std::optional<std::uint64_t> seed, Budget& budget);

}  // namespace oddsbound::app
