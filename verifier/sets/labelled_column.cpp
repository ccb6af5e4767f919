#include "verifier/sets/labelled_column.h"

namespace oddsbound::sets {

LabelledColumn column_for(const LabelledInputs& inputs) {
  LabelledColumn column;
  column.entries.resize(inputs.inputs.size());
  column.extremes.resize(inputs.inputs.size());
  return column;
}

void fill(LabelledColumn& column, const LabelledInputs& inputs, ColumnView& view) {
  const auto ranks = view.ranks();
  for (std::size_t label = 0; label < inputs.inputs.size(); ++label) {
    std::vector<Number>& entries = column.entries[label];
    auto& [largest, smallest] = column.extremes[label] = {};
    entries.clear();
    for (const std::uint64_t x : inputs.inputs[label]) {
      const std::size_t place = entries.size();
      entries.push_back(view.pool().value(ranks[x]));
      if (ranks[x] > ranks[inputs.inputs[label][largest]]) largest = place;
      if (ranks[x] < ranks[inputs.inputs[label][smallest]]) smallest = place;
    }
  }
}

}  // namespace oddsbound::sets
