#include "verifier/engine/decompose.h"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <map>
#include <numeric>
#include <optional>

#include "verifier/engine/factor_losses.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::engine {

namespace {

bool all_the_same(std::span<const Factor> factors, const std::vector<std::size_t>& chosen) {
  return std::all_of(chosen.begin(), chosen.end(), [&](std::size_t f) {
    return factors[f].channel == factors[chosen[0]].channel && factors[f].coordinates == factors[chosen[0]].coordinates;
  });
}

Component make_component(const Model& model, std::vector<std::size_t> chosen, Budget& budget) {
  const auto factors = model.channel->factors();
  Component component;
  component.factors = std::move(chosen);
  const bool same = all_the_same(factors, component.factors);
  if (same) component.repeated = factors[component.factors[0]].channel;
  if (same) {
    component.coordinates = factors[component.factors[0]].coordinates;
  } else {
    for (const std::size_t f : component.factors) {
      component.coordinates.insert(component.coordinates.end(), factors[f].coordinates.begin(),
                                   factors[f].coordinates.end());
    }
    std::sort(component.coordinates.begin(), component.coordinates.end());
    component.coordinates.erase(std::unique(component.coordinates.begin(), component.coordinates.end()),
                                component.coordinates.end());
  }
  component.model.domain = model.domain.restricted_to(component.coordinates);
  if (same && component.factors.size() == 1) {
    component.model.channel = component.repeated;
  } else {
    std::vector<Factor> parts;
    for (const std::size_t f : component.factors) {
      Factor part{factors[f].channel, {}};
      for (const std::size_t i : factors[f].coordinates) {
        const auto place = std::find(component.coordinates.begin(), component.coordinates.end(), i);
        part.coordinates.push_back(static_cast<std::size_t>(place - component.coordinates.begin()));
      }
      parts.push_back(std::move(part));
    }
    component.model.channel = std::make_shared<ProductChannel>(component.model.domain, std::move(parts));
  }
  if (model.prior && model.prior->has_independent_coordinates()) {
    component.model.prior = model.prior->marginal(component.coordinates, budget);
  }
  return component;
}

// Returns the factors of each component, in the order of their first coordinates.
std::vector<std::vector<std::size_t>> connected_factors(const Model& model) {
  const auto factors = model.channel->factors();
  boost::disjoint_sets_with_storage<> sets(model.domain.size());
  std::vector<std::size_t> coordinates(model.domain.size());
  std::iota(coordinates.begin(), coordinates.end(), std::size_t{0});
  for (const Factor& factor : factors) {
    for (const std::size_t i : factor.coordinates) sets.union_set(i, factor.coordinates[0]);
  }
  sets.normalize_sets(coordinates.begin(), coordinates.end());  // a set is named by its first coordinate
  std::vector<std::vector<std::size_t>> by_root(model.domain.size());
  for (std::size_t f = 0; f < factors.size(); ++f) by_root[sets.find_set(factors[f].coordinates[0])].push_back(f);
  std::erase_if(by_root, [](const auto& chosen) { return chosen.empty(); });
  return by_root;
}

}  // namespace

std::vector<Component> components_of(const Model& model, Budget& budget) {
  std::vector<Component> components;
  for (std::vector<std::size_t>& chosen : connected_factors(model)) {
    components.push_back(make_component(model, std::move(chosen), budget));
  }
  return components;
}

bool is_connected(const Model& model) {
  const auto factors = model.channel->factors();
  if (factors.empty()) return true;
  if (connected_factors(model).size() > 1) return false;
  std::vector<bool> covered(model.domain.size(), false);
  for (const Factor& factor : factors) {
    for (const std::size_t i : factor.coordinates) covered[i] = true;
  }
  return std::find(covered.begin(), covered.end(), false) == covered.end();
}

bool is_indivisible(const Model& model) {
  if (model.channel->factors().empty()) return true;
  if (!is_connected(model)) return false;
  return !all_the_same(model.channel->factors(), connected_factors(model)[0]);
}

InputLevel repeated_level(InputLevel once, std::size_t times) {
  once.level = once.level.times(static_cast<std::int64_t>(times));
  once.output.assign(times, once.output.at(0));
  return once;
}

Assembly::Assembly(const Model& model, const std::vector<Component>& components, Budget& budget, const Prior* support)
    : model_(model), components_(components) {
  whole_.output.resize(model.channel->factors().size());
  whole_.from.resize(model.domain.size());
  whole_.to.resize(model.domain.size());
  std::vector<bool> covered(model.domain.size(), false);
  for (const Component& component : components) {
    for (const std::size_t i : component.coordinates) covered[i] = true;
  }
  for (std::size_t i = 0; support != nullptr && i < model.domain.size(); ++i) {
    if (covered[i]) continue;
    const std::vector<Number> masses = support->marginal_weights(i, budget);
    std::uint64_t value = 0;
    while (masses[value].is_zero()) ++value;
    set_digit(i, value, value);
  }
}

void Assembly::place(std::size_t c, const InputLevel& level) {
  const Component& component = components_[c];
  for (std::size_t k = 0; k < component.coordinates.size(); ++k) {
    set_digit(component.coordinates[k], level.from[k], level.to[k]);
  }
  for (std::size_t k = 0; k < component.factors.size(); ++k) whole_.output[component.factors[k]] = level.output[k];
}

void Assembly::place_any(std::size_t c) {
  const auto factors = model_.channel->factors();
  for (const std::size_t f : components_[c].factors) {
    std::uint64_t y = 0;
    while (factors[f].channel->entry(0, y).is_zero()) ++y;
    whole_.output[f] = y;
  }
}

void Assembly::set_digit(std::size_t coordinate, std::uint64_t from, std::uint64_t to) {
  whole_.from[coordinate] = static_cast<std::uint32_t>(from);
  whole_.to[coordinate] = static_cast<std::uint32_t>(to);
}

InputLevel Assembly::finish(const Level& level) const {
  InputLevel result = whole_;
  result.level = level;
  return result;
}

namespace {

using Group = std::vector<std::uint64_t>;

// The disjoint part of every input, and its index there.
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

// Returns an infinite level with an output that is possible from `from` and impossible from `to`, which is in
// another part.
InputLevel level_across_parts(const DisjointPart& part, std::uint64_t position, InputRow from, InputRow to) {
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
  std::map<std::uint32_t, std::vector<Group>> groups_of;  // per part, by index in the part
  for (const Group& group : groups) {
    const std::uint32_t part = places.part[group[0]];
    Group& inner = groups_of[part].emplace_back();
    for (const std::uint64_t x : group) {
      if (places.part[x] != part) {
        return level_across_parts(parts[part], places.position[group[0]], domain.row(group[0]), domain.row(x));
      }
      inner.push_back(places.position[x]);
    }
    subject.budget().check();
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

// There are several parts, so some input is in another part than from[0]: that pair has an infinite level.
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

}  // namespace oddsbound::engine
