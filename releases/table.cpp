#include "releases/table.h"

#include <algorithm>
#include <cassert>

namespace oddsbound::releases {

std::size_t shared_by(const Attributes& a, const Attributes& b) {
  const auto in_b = [&](std::size_t i) { return std::binary_search(b.begin(), b.end(), i); };
  return static_cast<std::size_t>(std::count_if(a.begin(), a.end(), in_b));
}

bool meet(const Attributes& a, const Attributes& b) { return shared_by(a, b) > 0; }

std::string words_of(const Domain& schema, const Attributes& attributes) {
  std::string text;
  for (const std::size_t i : attributes) text += (text.empty() ? "" : ", ") + schema.coordinate(i).name;
  return text;
}

std::string words_of(const Domain& schema, InputView record) {
  std::string words;
  for (std::size_t i = 0; i < schema.size(); ++i) {
    const Coordinate& attribute = schema.coordinate(i);
    words += (i == 0 ? "" : ", ") + attribute.name + "=" + attribute.values[record[i]];
  }
  return words;
}

TableDifference difference(const PeopleTable& a, const PeopleTable& b, std::size_t attributes) {
  assert(a.people() == b.people());
  TableDifference found;
  std::vector<bool> differs(a.people());
  for (std::size_t i = 0; i < attributes; ++i) {
    bool any = false;
    for (std::size_t p = 0; p < a.people(); ++p) {
      if (a.column(i)[p] == b.column(i)[p]) continue;
      differs[p] = any = true;
    }
    if (any) found.attributes.push_back(i);
  }
  found.records = static_cast<std::size_t>(std::count(differs.begin(), differs.end(), true));
  return found;
}

std::uint64_t people_with(const PeopleTable& table, const Pattern& pattern) {
  std::uint64_t count = 0;
  for (std::size_t p = 0; p < table.people(); ++p) {
    count += pattern.is_had([&](std::size_t i) { return table.column(i)[p]; }) ? 1 : 0;
  }
  return count;
}

std::vector<std::uint64_t> contingency(const PeopleTable& table, const Domain& schema, const Attributes& attributes) {
  const Domain cells = schema.restricted_to(attributes);
  std::vector<std::uint64_t> counts(cells.inputs());
  for (std::size_t p = 0; p < table.people(); ++p) {
    std::uint64_t cell = 0;
    for (const std::size_t i : attributes) cell = cell * schema.values(i) + table.column(i)[p];
    ++counts[cell];
  }
  return counts;
}

std::uint64_t share_below(std::uint64_t top, std::uint64_t bottom, std::uint64_t n) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(top) * n / bottom);
}

std::uint64_t share_above(std::uint64_t top, std::uint64_t bottom, std::uint64_t n) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(top) * n + bottom - 1) / bottom);
}

std::string Labeled::words() const {
  const Coordinate& attribute = schema.coordinate(label);
  return attribute.name + "=" + attribute.values[1];
}

Attributes Labeled::inputs_and_label() const {
  Attributes all = inputs;
  all.push_back(label);
  return all;
}

}  // namespace oddsbound::releases
