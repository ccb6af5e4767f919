// Levels of adaptive compositions that are too large to be listed (model/adaptive_channel.h): an output says what the
// first mechanism answered, so a level is the largest of the branches'.
#pragma once

#include <utility>
#include <vector>

#include "verifier/model/adaptive_channel.h"
#include "verifier/model/witness.h"
#include "verifier/ratios/measured_model.h"

namespace oddsbound::structure {

/// levels_of(part, branches left) measures a branch as a model of its own: a list of levels, each with `change_output`
/// and `level`, as long for every branch. take_larger(largest, other) makes a level the larger of two; outputs are
/// those of the whole. The channel has branches.
template <typename LevelsOf, typename TakeLarger>
auto largest_of_branches(MeasuredModel& subject, LevelsOf levels_of, TakeLarger take_larger) {
  const std::span<const ChannelPtr> branches = branches_of(subject.channel());
  const std::size_t words = subject.channel().split(0).size();
  decltype(levels_of(subject, std::size_t{1})) largest;
  for (std::size_t y = 0; y < branches.size(); ++y) {
    const Model branch{subject.domain(), branches[y], subject.model().prior};
    MeasuredModel part(branch, subject.budget());
    auto levels = levels_of(part, branches.size() - y);
    for (std::size_t k = 0; k < levels.size(); ++k) {
      levels[k].change_output([words, y](std::vector<std::uint64_t>& output) {
        output.resize(words);  // also of one that nothing shows, which has none
        output[0] = y;
      });
      if (y > 0) take_larger(largest[k], std::move(levels[k]));
    }
    if (y == 0) largest = std::move(levels);
  }
  return largest;
}

/// Of levels that are known, between inputs.
template <typename LevelsOf>
auto largest_input_levels(MeasuredModel& subject, LevelsOf levels_of) {
  return largest_of_branches(
      subject, [&](MeasuredModel& part, std::size_t) { return levels_of(part); },
      [](auto& largest, auto other) {
        if (other.level > largest.level) largest = std::move(other);
      });
}

}  // namespace oddsbound::structure
