#include "verifier/sets/column_search.h"

namespace oddsbound::sets {

ColumnSearch::ColumnSearch(const PriorSet& set, const SetQuestion& question) : set_(set), question_(question) {
  column_.entries.resize(labels());
  column_.extremes.resize(labels());
}

ColumnSearch ColumnSearch::successor() {
  ColumnSearch later(set_, question_);
  later.search_ = std::move(search_);
  return later;
}

SetSearch& ColumnSearch::look_at(ColumnView& view) {
  if (!search_) search_ = set_.search(question_, *Budget::current());
  fill(view);
  search_->look_at(column_);
  return *search_;
}

void ColumnSearch::fill(ColumnView& view) {
  const auto ranks = view.ranks();
  for (std::size_t label = 0; label < labels(); ++label) {
    const std::vector<std::uint64_t>& inputs = question_.inputs.inputs[label];
    std::vector<Number>& entries = column_.entries[label];
    auto& [largest, smallest] = column_.extremes[label] = {};
    entries.clear();
    for (const std::uint64_t x : inputs) {
      const std::size_t place = entries.size();
      entries.push_back(view.pool().value(ranks[x]));
      if (ranks[x] > ranks[inputs[largest]]) largest = place;
      if (ranks[x] < ranks[inputs[smallest]]) smallest = place;
    }
  }
}

}  // namespace oddsbound::sets
