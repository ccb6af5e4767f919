#include "verifier/structure/input_levels.h"

#include <algorithm>
#include <map>
#include <optional>

#include "verifier/ratios/factor_losses.h"

namespace oddsbound::structure {

namespace {

using Group = std::vector<std::uint64_t>;

// Where each input stands: its part and its position there.
struct Places {
  std::vector<std::uint32_t> part;
  std::vector<std::uint64_t> position;
};

Places places_of(const Channel& channel) {
  Places places{std::vector<std::uint32_t>(channel.inputs()), std::vector<std::uint64_t>(channel.inputs())};
  const std::span<const DisjointPart> parts = channel.disjoint_parts();
  for (std::uint32_t c = 0; c < parts.size(); ++c) {
    for (std::uint64_t i = 0; i < parts[c].inputs.size(); ++i) {
      places.part[parts[c].inputs[i]] = c;
      places.position[parts[c].inputs[i]] = i;
    }
  }
  return places;
}

// An output that is possible from one input and impossible from another, of another part.
InputLevel told_apart(const DisjointPart& part, std::uint64_t position, InputRow from, InputRow to) {
  std::uint64_t y = 0;
  while (part.channel->entry(position, y).is_zero()) ++y;
  return {Level::infinite(), {part.first_output + y}, std::move(from), std::move(to), true};
}

Domain numbered(std::uint64_t inputs) {
  Coordinate coordinate{"input", {}};
  for (std::uint64_t i = 0; i < inputs; ++i) coordinate.values.push_back(std::to_string(i));
  return Domain({std::move(coordinate)});
}

// The level over all pairs of inputs within a group, over all groups.
InputLevel level_by_cases(MeasuredModel& subject, std::span<const Group> groups) {
  const std::span<const DisjointPart> parts = subject.disjoint_parts();
  assert(!parts.empty() && !groups.empty());
  const Places places = places_of(subject.channel());
  const Domain& domain = subject.domain();
  std::map<std::uint32_t, std::vector<Group>> groups_of;  // per part, in its own numbers
  for (const Group& group : groups) {
    const std::uint32_t part = places.part[group[0]];
    Group& inner = groups_of[part].emplace_back();
    for (const std::uint64_t x : group) {
      if (places.part[x] != part) {
        return told_apart(parts[part], places.position[group[0]], domain.row(group[0]), domain.row(x));
      }
      inner.push_back(places.position[x]);
    }
    subject.budget().look();
  }
  std::map<std::pair<const Channel*, std::vector<Group>>, InputLevel> measured;
  std::optional<InputLevel> worst;
  for (auto& [part, inner] : groups_of) {
    const ChannelPtr& channel = parts[part].channel;
    auto place = measured.find({channel.get(), inner});
    if (place == measured.end()) {
      const Model model{numbered(channel->inputs()), channel, std::nullopt};
      MeasuredModel whole(model, subject.budget());
      place = measured.emplace(std::pair(channel.get(), inner), level_within(whole, {inner})).first;
    }
    const InputLevel& level = place->second;
    if (worst && level.level <= worst->level) continue;
    worst = InputLevel{level.level,
                       {parts[part].first_output + level.output[0]},
                       domain.row(parts[part].inputs[level.from[0]]),
                       domain.row(parts[part].inputs[level.to[0]]),
                       true};
  }
  return *worst;
}

// With several parts some input is in another one than the first of `from`, and told apart from it.
InputLevel level_from_by_cases(MeasuredModel& subject, const std::vector<std::uint64_t>& from) {
  const std::span<const DisjointPart> parts = subject.disjoint_parts();
  assert(parts.size() > 1);
  const auto& first = parts[0].inputs;
  const bool in_first = std::find(first.begin(), first.end(), from[0]) != first.end();
  const Group pair{from[0], in_first ? parts[1].inputs[0] : first[0]};
  return level_by_cases(subject, std::span(&pair, 1));
}

std::vector<InputLevel> levels_along_by_cases(MeasuredModel& subject, std::span<const std::size_t> coordinates) {
  std::vector<InputLevel> levels;
  for (const std::size_t i : coordinates) {
    const Lines lines{subject.domain().stride(i), subject.domain().values(i)};
    std::vector<Group> groups;
    for (std::uint64_t x = 0; x < subject.channel().inputs(); ++x) {
      if (subject.domain().digit(x, i) == 0) groups.push_back(lines.inputs_of(x));
    }
    levels.push_back(level_by_cases(subject, groups));
  }
  return levels;
}

}  // namespace

bool decided_by_columns(const MeasuredModel& subject) {
  return subject.disjoint_parts().empty() && !pairs_are_cheaper(subject);
}

InputLevel level_within(MeasuredModel& subject, const WithinGroups& question) {
  return subject.disjoint_parts().empty() ? subject.answer(question) : level_by_cases(subject, question.groups);
}

InputLevel level_from(MeasuredModel& subject, const FromInputs& question) {
  return subject.disjoint_parts().size() > 1 ? level_from_by_cases(subject, question.from) : subject.answer(question);
}

InputLevel level_over_all(MeasuredModel& subject) {
  if (subject.disjoint_parts().empty()) return subject.answer(AmongAll{});
  Group all(subject.channel().inputs());
  for (std::uint64_t x = 0; x < all.size(); ++x) all[x] = x;
  return level_by_cases(subject, std::span(&all, 1));
}

std::vector<InputLevel> levels_along(MeasuredModel& subject, const AlongCoordinates& question) {
  return subject.disjoint_parts().empty() ? subject.answer(question)
                                          : levels_along_by_cases(subject, question.coordinates);
}

}  // namespace oddsbound::structure
