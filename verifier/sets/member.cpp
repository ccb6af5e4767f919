#include "verifier/sets/member.h"

#include <algorithm>

namespace oddsbound::sets {

Center::Center(const Prior& prior, const LabelledInputs& inputs, Budget& budget) {
  const std::vector<Number>& weights = prior.dense(budget).weights;
  for (const auto& of_label : inputs.inputs) {
    std::vector<Number>& mine = cells.emplace_back();
    std::vector<WeightedTerm> terms;
    for (const std::uint64_t x : of_label) {
      mine.push_back(weights[x] / prior.total());
      terms.push_back({Number(1), mine.back()});
    }
    masses.push_back(weighted_sum(terms));
  }
}

Number Center::joint(const LabelledColumn& column, std::size_t label) const {
  std::vector<WeightedTerm> terms;
  for (std::size_t place = 0; place < cells[label].size(); ++place) {
    if (!cells[label][place].is_zero()) terms.push_back({cells[label][place], column.entries[label][place]});
  }
  return weighted_sum(terms);
}

std::vector<std::size_t> places_by_entry(const LabelledColumn& column, std::size_t label) {
  const std::vector<Number>& entries = column.entries[label];
  std::vector<std::size_t> places(entries.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return entries[a] < entries[b]; });
  return places;
}

}  // namespace oddsbound::sets
