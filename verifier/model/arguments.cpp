#include "verifier/model/arguments.h"

#include <algorithm>

namespace oddsbound::model {

namespace {

struct HasRoots {
  bool operator()(const Level& level) const { return level.surd() != nullptr; }
  bool operator()(const CoordinateLevels& levels) const {
    return std::any_of(levels.begin(), levels.end(), [&](const auto& level) { return level && (*this)(*level); });
  }
  bool operator()(const LevelMatrix& matrix) const {
    return std::any_of(matrix.levels.begin(), matrix.levels.end(), *this);
  }
  template <typename NoLevels>
  bool operator()(const NoLevels&) const {
    return false;
  }
};

}  // namespace

Field compared(Field field) {
  field.roots = true;
  return field;
}

bool Arguments::has_roots() const {
  return std::any_of(values_.begin(), values_.end(),
                     [](const auto& field) { return std::visit(HasRoots(), field.second); });
}

}  // namespace oddsbound::model
