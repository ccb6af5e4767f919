#include "mechanisms/releases/learning.h"

namespace oddsbound::mechanisms {

std::string Labeled::words() const {
  const Coordinate& attribute = schema.coordinate(label);
  return attribute.name + "=" + attribute.values[1];
}

Attributes Labeled::inputs_and_label() const {
  Attributes all = inputs;
  all.push_back(label);
  return all;
}

std::uint64_t share_below(std::uint64_t top, std::uint64_t bottom, std::uint64_t n) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(top) * n / bottom);
}

std::uint64_t share_above(std::uint64_t top, std::uint64_t bottom, std::uint64_t n) {
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(top) * n + bottom - 1) / bottom);
}

}  // namespace oddsbound::mechanisms
