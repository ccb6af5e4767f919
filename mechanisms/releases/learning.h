// What is learned from a table of people of whom some have a label: an attribute of two values, of which the second one
// counts as having it.
#pragma once

#include <string>

#include "mechanisms/releases/table.h"

namespace oddsbound::mechanisms {

struct Labeled {
  Domain schema;
  Attributes inputs;      // what the label is to be told from
  std::size_t label = 0;  // not among them

  /// "ill=yes"
  std::string words() const;
  Attributes inputs_and_label() const;
  bool has_label(const PeopleTable& table, std::size_t person) const { return table.column(label)[person] == 1; }
};

}  // namespace oddsbound::mechanisms
