// Drawn outputs as CSV, one a line, or as one JSON document.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "specs/spec.h"

namespace oddsbound::runs {

struct SampleOptions {
  std::vector<std::uint64_t> inputs;  // drawn for one after another
  std::uint64_t count = 1;            // draws per input
  std::optional<std::uint64_t> seed;
  std::size_t threads = 1;
  bool json = false;
  bool tally = false;  // outputs with counts instead of one line per draw
};

/// Draws and hands the report over in pieces; stops when `write` says false.
bool write_samples(const Spec& spec, const SampleOptions& options, const std::function<bool(std::string_view)>& write);

/// Labels of outputs, drawn for one input: what write_samples writes for the same options, as values.
std::vector<std::string> draw_labels(const Spec& spec, std::uint64_t input, std::uint64_t count,
                                     std::optional<std::uint64_t> seed, Budget& budget);

/// Inputs drawn from the spec's prior.
std::vector<std::uint64_t> draw_inputs(const Spec& spec, std::uint64_t count, std::optional<std::uint64_t> seed);

}  // namespace oddsbound::runs
