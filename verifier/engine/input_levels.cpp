#include "verifier/engine/input_levels.h"

#include <algorithm>
#include <map>
#include <optional>

#include "verifier/engine/decompose.h"
#include "verifier/engine/factor_losses.h"
#include "verifier/engine/mixture_levels.h"
#include "verifier/engine/pair_classes.h"

namespace oddsbound::engine {

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
  return {Level::infinite(), InputPair{{part.first_output + y}, std::move(from), std::move(to)}, Way::kCases};
}

Domain numbered(std::uint64_t inputs) { return Domain({Coordinate{"input", ValueNames::numbered(inputs)}}); }

InputLevel among_without_pairs(MeasuredModel& subject, const AmongInputs& question);

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
      place = measured.emplace(std::pair(channel.get(), inner), among_without_pairs(whole, {inner})).first;
    }
    const Level& level = place->second.at_least;
    if (worst && level <= worst->at_least) continue;
    const InputPair pair = place->second.witness.get();
    worst = InputLevel{level,
                       InputPair{{parts[part].first_output + pair.output[0]},
                                 domain.row(parts[part].inputs[pair.from[0]]),
                                 domain.row(parts[part].inputs[pair.to[0]])},
                       Way::kCases};
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

// Models that are not taken apart.

bool decided_by_columns(const MeasuredModel& subject) {
  return subject.disjoint_parts().empty() && !pairs_are_cheaper(subject);
}

// The same for questions about all inputs of a mixture, whose terms answer them.
bool all_decided_by_columns(const MeasuredModel& subject) {
  return decided_by_columns(subject) && as_mixture(subject.channel()) == nullptr;
}

// The levels between inputs that differ only within each of the groups, by declared classes of pairs; nullopt if these
// do not tell, or if the channel is small.
std::optional<std::vector<InputLevel>> by_pair_classes(MeasuredModel& subject,
                                                       const std::vector<std::vector<std::size_t>>& groups) {
  if (!has_large_unit(subject.model())) return std::nullopt;
  const std::shared_ptr<const Model> model = subject.kept_model();
  const auto pairs = DeclaredPairs::of(*model);
  if (!pairs) return std::nullopt;
  const auto kept = std::make_shared<const DeclaredPairs>(*pairs);
  std::vector<InputLevel> levels;
  for (const auto& group : groups) {
    subject.budget().check();
    auto level = declared_level(kept, model, group);
    if (!level) return std::nullopt;
    levels.push_back(*std::move(level));
  }
  return levels;
}

InputLevel among_without_pairs(MeasuredModel& subject, const AmongInputs& question) {
  const std::span<const DisjointPart> parts = subject.disjoint_parts();
  if (parts.empty() || (question.to_all && parts.size() == 1)) return subject.answer(question);
  if (question.to_all) return level_from_by_cases(subject, question.groups->front());
  if (question.groups) return level_by_cases(subject, *question.groups);
  Group all(subject.channel().inputs());
  for (std::uint64_t x = 0; x < all.size(); ++x) all[x] = x;
  return level_by_cases(subject, std::span(&all, 1));
}

InputLevel whole_among(MeasuredModel& subject, const AmongInputs& question) {
  if (!pairs_are_cheaper(subject)) return among_without_pairs(subject, question);
  if (!question.groups) return PairLossSolver(subject).largest_of_all();
  return PairLossSolver(subject).largest([&](const PairLossSolver::Visit& visit) {
    for (const Group& group : *question.groups) {
      for (const std::uint64_t from : group) {
        for (std::uint64_t to = 0; question.to_all && to < subject.domain().inputs(); ++to) visit(from, to);
        for (std::size_t k = 0; !question.to_all && k < group.size(); ++k) visit(from, group[k]);
      }
    }
  });
}

InputLevel whole_among_all(MeasuredModel& subject) {
  if (const MixtureChannel* mixture = as_mixture(subject.channel())) return level_of_mixture(subject, *mixture);
  if (const auto levels = by_pair_classes(subject, {every_coordinate(subject.domain())})) return levels->front();
  return whole_among(subject, {});
}

// Returns the inputs of positive mass, ordered by number.
std::vector<InputRow> possible_inputs(MeasuredModel& subject) {
  std::vector<InputRow> support;
  subject.prior().each_row(subject.budget(), [&](InputView row, const Number&) {
    subject.budget().check_every();
    support.emplace_back(row.begin(), row.end());
    require_listable(support.size());
  });
  std::sort(support.begin(), support.end());
  return support;
}

AmongInputs among_possible(MeasuredModel& subject) {
  Group group;
  for (const InputRow& row : possible_inputs(subject)) group.push_back(subject.domain().number(row));
  return {std::vector<Group>{std::move(group)}};
}

InputLevel whole_among_possible(MeasuredModel& subject) {
  if (!pairs_are_cheaper(subject)) return among_without_pairs(subject, among_possible(subject));
  return PairLossSolver(subject, possible_inputs(subject)).largest_of_all();
}

std::vector<InputLevel> whole_along(MeasuredModel& subject, const std::vector<std::size_t>& coordinates) {
  if (const MixtureChannel* mixture = as_mixture(subject.channel())) {
    return levels_along_mixture(subject, *mixture, coordinates);
  }
  std::vector<std::vector<std::size_t>> groups;
  for (const std::size_t i : coordinates) groups.push_back({i});
  if (auto levels = by_pair_classes(subject, groups)) return *std::move(levels);
  if (decided_by_columns(subject)) return subject.answer(AlongCoordinates{coordinates});
  if (!pairs_are_cheaper(subject)) return levels_along_by_cases(subject, coordinates);
  PairLossSolver losses(subject);
  const Domain& domain = subject.domain();
  std::vector<InputLevel> levels;
  for (const std::size_t i : coordinates) {
    levels.push_back(losses.largest([&](const PairLossSolver::Visit& visit) {
      for (std::uint64_t from = 0; from < domain.inputs(); ++from) {
        const std::uint64_t base = from - domain.digit(from, i) * domain.stride(i);
        for (std::uint64_t v = 0; v < domain.values(i); ++v) visit(from, base + v * domain.stride(i));
      }
    }));
  }
  return levels;
}

// Models that are taken apart into components.

// Assembles an input pair and an output of the whole model from those of its components. Coordinates outside all
// components get their first value (with `support`, their first value of positive mass).
class Assembly {
 public:
  Assembly(const Model& model, const std::vector<Component>& components, Budget& budget, const Prior* support = nullptr)
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

  void place(std::size_t c, const InputPair& pair) {
    const Component& component = components_[c];
    for (std::size_t k = 0; k < component.coordinates.size(); ++k) {
      set_digit(component.coordinates[k], pair.from[k], pair.to[k]);
    }
    for (std::size_t k = 0; k < component.factors.size(); ++k) whole_.output[component.factors[k]] = pair.output[k];
  }
  /// The component keeps its first input and gets an output of positive probability.
  void place_any(std::size_t c) {
    const auto factors = model_.channel->factors();
    for (const std::size_t f : components_[c].factors) {
      std::uint64_t y = 0;
      while (factors[f].channel->entry(0, y).is_zero()) ++y;
      whole_.output[f] = y;
    }
  }
  void set_digit(std::size_t coordinate, std::uint64_t from, std::uint64_t to) {
    whole_.from[coordinate] = static_cast<std::uint32_t>(from);
    whole_.to[coordinate] = static_cast<std::uint32_t>(to);
  }
  const InputPair& whole() const { return whole_; }

 private:
  const Model& model_;
  const std::vector<Component>& components_;
  InputPair whole_;
};

// Returns levels_of(component). If its factors are one channel on the same coordinates, measures that channel once:
// the same two inputs have its level times the number of factors.
template <typename LevelsOf>
std::vector<InputLevel> levels_of_component(const Component& component, Budget& budget, LevelsOf levels_of) {
  std::optional<Model> once;
  if (component.repeated) once = Model{component.model.domain, component.repeated, component.model.prior};
  MeasuredModel part(once ? *once : component.model, budget);
  std::vector<InputLevel> levels = levels_of(part);
  for (InputLevel& level : levels) {
    if (!once) break;
    const std::size_t times = component.factors.size();
    level.at_least = level.at_least.times(static_cast<std::int64_t>(times));
    change_output(level, [times](std::vector<std::uint64_t>& output) { output.assign(times, output.at(0)); });
  }
  return levels;
}

// support: the prior whose inputs of positive mass are compared; null: all inputs are.
InputLevel sum_of_components(MeasuredModel& subject, InputLevel (*level_of)(MeasuredModel&), const Prior* support) {
  const std::vector<Component> components = components_of(subject.model(), subject.budget());
  Assembly assembly(subject.model(), components, subject.budget(), support);
  Level sum;
  for (std::size_t c = 0; c < components.size(); ++c) {
    const InputLevel part = levels_of_component(components[c], subject.budget(),
                                                [&](MeasuredModel& own) { return std::vector{level_of(own)}; })[0];
    sum = sum + part.at_least;
    assembly.place(c, part.witness.get());
  }
  return {sum, assembly.whole()};
}

// Some inputs and output of the whole model. The witness of a coordinate differs from them in one component.
struct WholeModel {
  explicit WholeModel(MeasuredModel& subject)
      : model(subject.kept_model()),
        components(components_of(*model, subject.budget())),
        any(*model, components, subject.budget()) {
    for (std::size_t c = 0; c < components.size(); ++c) any.place_any(c);
  }

  std::shared_ptr<const Model> model;
  std::vector<Component> components;
  Assembly any;
};

// Returns the level with change(assembly) as the whole model's witness.
template <typename Change>
InputLevel assembled(std::shared_ptr<const WholeModel> whole, const Level& level, Change change) {
  return {level, Lazy<InputPair>::made_by([whole = std::move(whole), change = std::move(change)] {
            Assembly assembly = whole->any;
            change(assembly);
            return assembly.whole();
          })};
}

// The level of a coordinate is that of its component; 0 if no component sees it.
std::vector<InputLevel> along_in_components(MeasuredModel& subject, const std::vector<std::size_t>& coordinates) {
  const auto whole = std::make_shared<const WholeModel>(subject);
  std::vector<std::optional<InputLevel>> levels(subject.domain().size());
  std::vector<bool> is_wanted(levels.size(), false);
  for (const std::size_t i : coordinates) is_wanted[i] = true;
  for (std::size_t c = 0; c < whole->components.size(); ++c) {
    const Component& component = whole->components[c];
    std::vector<std::size_t> own;  // the wanted coordinates, within the component
    for (std::size_t k = 0; k < component.coordinates.size(); ++k) {
      if (is_wanted[component.coordinates[k]]) own.push_back(k);
    }
    if (own.empty()) continue;
    const std::vector<InputLevel> parts =
        levels_of_component(component, subject.budget(), [&](MeasuredModel& part) { return whole_along(part, own); });
    for (std::size_t k = 0; k < own.size(); ++k) {
      subject.budget().check();
      levels[component.coordinates[own[k]]] =
          assembled(whole, parts[k].at_least, [c, pair = parts[k].witness](Assembly& to) { to.place(c, pair.get()); });
    }
  }
  std::vector<InputLevel> wanted;
  for (const std::size_t i : coordinates) {
    const std::uint64_t last = subject.domain().values(i) - 1;
    if (!levels[i]) levels[i] = assembled(whole, Level(), [i, last](Assembly& to) { to.set_digit(i, 0, last); });
    wanted.push_back(*levels[i]);
  }
  return wanted;
}

}  // namespace

const InputLevel& level_among_all(MeasuredModel& subject) {
  return subject.remember("ldp", [&]() -> InputLevel {
    if (!branches_of(subject.channel()).empty()) {
      return largest_of_branches(
          subject, [](MeasuredModel& part, std::size_t) { return std::vector{level_among_all(part)}; })[0];
    }
    if (is_indivisible(subject.model())) return whole_among_all(subject);
    return sum_of_components(subject, whole_among_all, nullptr);
  });
}

InputLevel level_among_possible(MeasuredModel& subject) {
  const Prior& prior = subject.prior();
  if (prior.has_full_support(subject.budget())) return level_among_all(subject);
  if (!branches_of(subject.channel()).empty()) {
    return largest_of_branches(
        subject, [](MeasuredModel& part, std::size_t) { return std::vector{level_among_possible(part)}; })[0];
  }
  if (!prior.has_independent_coordinates() || is_indivisible(subject.model())) return whole_among_possible(subject);
  return sum_of_components(subject, whole_among_possible, &prior);
}

std::vector<InputLevel> levels_along(MeasuredModel& subject, const std::vector<std::size_t>& coordinates) {
  if (!branches_of(subject.channel()).empty()) {
    return largest_of_branches(subject,
                               [&](MeasuredModel& part, std::size_t) { return levels_along(part, coordinates); });
  }
  return is_indivisible(subject.model()) ? whole_along(subject, coordinates)
                                         : along_in_components(subject, coordinates);
}

InputLevel level_among(MeasuredModel& subject, const AmongInputs& question) { return whole_among(subject, question); }

void expect_among_all(MeasuredModel& subject) {
  if (is_indivisible(subject.model()) && all_decided_by_columns(subject)) subject.expect(AmongInputs{});
}

void expect_among_possible(MeasuredModel& subject) {
  if (!subject.model().prior || !decided_by_columns(subject)) return;
  const Prior& prior = subject.prior();
  if (prior.has_full_support(subject.budget())) {
    expect_among_all(subject);
  } else if (!prior.has_independent_coordinates() || is_indivisible(subject.model())) {
    subject.expect(among_possible(subject));
  }
}

void expect_along(MeasuredModel& subject, const std::vector<std::size_t>& coordinates) {
  if (is_indivisible(subject.model()) && all_decided_by_columns(subject)) subject.expect(AlongCoordinates{coordinates});
}

void expect_among(MeasuredModel& subject, const AmongInputs& question) {
  if (decided_by_columns(subject)) subject.expect(question);
}

}  // namespace oddsbound::engine
