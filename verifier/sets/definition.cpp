#include "verifier/sets/definition.h"

namespace oddsbound::sets {

SetDefinition SetDefinition::of_cells(std::uint64_t inputs) {
  SetDefinition definition;
  for (std::uint64_t x = 0; x < inputs; ++x) definition.cells.push_back({{definition.unknown(), Number(1)}});
  return definition;
}

void SetDefinition::normalize() {
  Form all;
  for (const Form& cell : cells) all.insert(all.end(), cell.begin(), cell.end());
  equal(std::move(all), Number(1));
}

void SetDefinition::distances_at_most(const std::vector<std::pair<Form, Number>>& differences, const Number& right) {
  Form all;
  for (const auto& [form, shift] : differences) {
    const std::size_t distance = unknown();
    all.emplace_back(distance, Number(1));
    Form above{{distance, Number(-1)}}, below{{distance, Number(-1)}};
    for (const auto& [place, factor] : form) {
      above.emplace_back(place, factor);
      below.emplace_back(place, -factor);
    }
    at_most(std::move(above), shift);
    at_most(std::move(below), -shift);
  }
  at_most(std::move(all), right);
}

}  // namespace oddsbound::sets
