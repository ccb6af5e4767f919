#include "verifier/engine/decompose.h"

#include <algorithm>
#include <boost/pending/disjoint_sets.hpp>
#include <numeric>

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

}  // namespace oddsbound::engine
