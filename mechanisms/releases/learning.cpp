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

}  // namespace oddsbound::mechanisms
