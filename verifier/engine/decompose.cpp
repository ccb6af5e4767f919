#include "verifier/engine/decompose.h"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <numeric>

#include "verifier/model/pair_class.h"
#include "verifier/model/product_channel.h"

namespace oddsbound::engine {

namespace {

bool all_the_same(std::span<const Factor> factors, const std::vector<std::size_t>& chosen) {
  return std::all_of(chosen.begin(), chosen.end(), [&](std::size_t f) {
    return factors[f].channel == factors[chosen[0]].channel && factors[f].coordinates == factors[chosen[0]].coordinates;
  });
}

// The first factor of each unit (model/pair_class.h); empty if the channel declares classes of pairs itself.
struct Units {
  std::vector<Factor> units;
  std::vector<std::size_t> begins;
};

Units units_with_factors(const Channel& channel) {
  Units found{units_of(channel), {}};
  std::size_t begin = 0;
  for (const Factor& unit : found.units) {
    found.begins.push_back(begin);
    begin += std::max<std::size_t>(1, unit.channel->factors().size());
  }
  return found;
}

// The parts of a component: its units, and the factors of units that it has only some factors of.
std::vector<Factor> parts_of_component(const Channel& channel, const Units& all,
                                       const std::vector<std::size_t>& chosen) {
  const auto factors = channel.factors();
  std::vector<Factor> parts;
  for (std::size_t k = 0; k < chosen.size();) {
    const auto after = std::upper_bound(all.begins.begin(), all.begins.end(), chosen[k]);
    const auto u = static_cast<std::size_t>(after - all.begins.begin());  // the unit is the one before
    const bool begins = u > 0 && all.begins[u - 1] == chosen[k];
    const std::size_t size = begins ? std::max<std::size_t>(1, all.units[u - 1].channel->factors().size()) : 1;
    const bool whole = begins && k + size <= chosen.size() && chosen[k + size - 1] == chosen[k] + size - 1;
    parts.push_back(whole ? all.units[u - 1] : factors[chosen[k]]);
    k += whole ? size : 1;
  }
  return parts;
}

// units: computed once, by the first component that needs them.
Component make_component(const Model& model, std::optional<Units>& units, std::vector<std::size_t> chosen,
                         Budget& budget) {
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
  } else if (component.factors.size() == factors.size() && with_pair_classes(*model.channel) == nullptr &&
             component.coordinates == every_coordinate(model.domain)) {
    component.model.channel = model.channel;  // a copy of a million runs would take 100 MB
  } else {
    if (!units) units = units_with_factors(*model.channel);
    std::vector<Factor> parts = parts_of_component(*model.channel, *units, component.factors);
    for (Factor& part : parts) {
      for (std::size_t& i : part.coordinates) {
        const auto place = std::find(component.coordinates.begin(), component.coordinates.end(), i);
        i = static_cast<std::size_t>(place - component.coordinates.begin());
      }
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
  std::optional<Units> units;
  for (std::vector<std::size_t>& chosen : connected_factors(model)) {
    components.push_back(make_component(model, units, std::move(chosen), budget));
  }
  return components;
}

std::optional<ComponentAbout> component_about(const Model& model, std::size_t coordinate, Budget& budget) {
  if (!model.prior || !model.prior->has_independent_coordinates()) return std::nullopt;
  std::vector<std::vector<std::size_t>> components = connected_factors(model);
  if (components.size() < 2) return std::nullopt;
  std::optional<Units> units;
  for (std::size_t c = 0; c < components.size(); ++c) {
    Component component = make_component(model, units, std::move(components[c]), budget);
    const auto place = std::find(component.coordinates.begin(), component.coordinates.end(), coordinate);
    if (place == component.coordinates.end()) continue;
    const auto own = static_cast<std::size_t>(place - component.coordinates.begin());
    return ComponentAbout{std::move(component), own, c};
  }
  return std::nullopt;
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

namespace {

// An output of a component that has positive probability under its prior, with that probability.
struct LikelyOutput {
  std::vector<std::uint64_t> output;
  Number probability;
};

LikelyOutput likely_output(const Component& component, Budget& budget) {
  const Model& model = component.model;
  const std::vector<Number>& weights = model.prior->dense(budget).weights;
  std::uint64_t x = 0;
  while (weights[x].is_zero()) ++x;
  LikelyOutput result;
  if (model.channel->factors().empty()) {
    result.output = {0};
    while (model.channel->entry(x, result.output[0]).is_zero()) ++result.output[0];
  } else {
    for (const Factor& factor : model.channel->factors()) {
      const Projection project(model.domain, factor.coordinates);
      result.output.push_back(0);
      while (factor.channel->entry(project(x), result.output.back()).is_zero()) ++result.output.back();
    }
  }
  std::vector<WeightedTerm> terms;
  for (x = 0; x < weights.size(); ++x) {
    if (weights[x].is_zero()) continue;
    terms.push_back({weights[x], model.channel->entry_of(x, result.output)});
  }
  result.probability = weighted_sum(terms) / model.prior->total();
  return result;
}

void put(const std::vector<std::uint64_t>& part, const std::vector<std::size_t>& factors,
         std::vector<std::uint64_t>& whole) {
  for (std::size_t k = 0; k < part.size(); ++k) whole[factors[k]] = part[k];
}

// A product tree: each long number takes part in O(log n) multiplications.
Number tree_product(const std::vector<Number>& numbers, std::size_t begin, std::size_t end) {
  if (begin == end) return Number(1);
  if (end - begin == 1) return numbers[begin];
  const std::size_t middle = begin + (end - begin) / 2;
  return tree_product(numbers, begin, middle) * tree_product(numbers, middle, end);
}

}  // namespace

LikelyOutputs::LikelyOutputs(MeasuredModel& subject, const std::vector<Component>& components)
    : output_(subject.channel().factors().size()) {
  for (const Component& component : components) {
    LikelyOutput likely = likely_output(component, subject.budget());
    factors_.push_back(component.factors);
    put(likely.output, factors_.back(), output_);
    probabilities_.push_back(std::move(likely.probability));
  }
  all_ = tree_product(probabilities_, 0, probabilities_.size());
}

FoundOutput LikelyOutputs::with(std::size_t own, const FoundOutput& part) const {
  FoundOutput whole{output_, part.p_from * all_, part.p_to * all_};
  if (own == factors_.size()) return whole;
  put(part.output, factors_[own], whole.output);
  whole.p_from /= probabilities_[own];
  whole.p_to /= probabilities_[own];
  return whole;
}

}  // namespace oddsbound::engine
