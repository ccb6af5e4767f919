// Which choice it is: for those that know choices again.
#pragma once

#include <typeindex>

#include "mechanisms/random/choice.h"

namespace oddsbound::mechanisms {

struct ChoiceName {
  std::type_index type;
  Choice::Key key;
  explicit ChoiceName(const Choice& choice) : type(typeid(choice)), key(choice.key()) {}
  friend auto operator<=>(const ChoiceName&, const ChoiceName&) = default;
};

}  // namespace oddsbound::mechanisms
