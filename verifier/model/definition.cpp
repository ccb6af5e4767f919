#include "verifier/model/definition.h"

#include <algorithm>
#include <numeric>

namespace oddsbound::model {

std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs_among(const std::vector<std::uint64_t>& inputs) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> pairs;
  for (const std::uint64_t from : inputs) {
    for (const std::uint64_t to : inputs) {
      if (from != to) pairs.emplace_back(from, to);
    }
  }
  return pairs;
}

std::vector<std::uint64_t> all_inputs(const Domain& domain) {
  std::vector<std::uint64_t> inputs(domain.inputs());
  std::iota(inputs.begin(), inputs.end(), std::uint64_t{0});
  return inputs;
}

bool differ_within(const Domain& domain, std::uint64_t a, std::uint64_t b, const std::vector<std::size_t>& group) {
  for (std::size_t i = 0; i < domain.size(); ++i) {
    const bool inside = std::find(group.begin(), group.end(), i) != group.end();
    if (!inside && domain.digit(a, i) != domain.digit(b, i)) return false;
  }
  return true;
}

Comparison comparison_of_values(const Domain& domain, std::size_t coordinate, const Level& level) {
  Comparison comparison;
  comparison.about = domain.coordinate(coordinate).name;
  comparison.level = level;
  for (const std::string& value : domain.coordinate(coordinate).values) comparison.labels.emplace_back(value);
  for (std::uint64_t x = 0; x < domain.inputs(); ++x) {
    comparison.label_of.push_back(static_cast<std::uint32_t>(domain.digit(x, coordinate)));
  }
  return comparison;
}

}  // namespace oddsbound::model
