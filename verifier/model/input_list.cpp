#include "verifier/model/input_list.h"

#include <cassert>

namespace oddsbound::model {

void InputList::add(const Domain& domain, InputView row) {
  if (width_ == 0) {
    numbers_.push_back(domain.number(row));
  } else {
    assert(row.size() == width_);
    digits_.insert(digits_.end(), row.begin(), row.end());
  }
}

void InputList::add(const InputList& others) {
  assert(others.size() == 0 || width_ == others.width_);
  numbers_.insert(numbers_.end(), others.numbers_.begin(), others.numbers_.end());
  digits_.insert(digits_.end(), others.digits_.begin(), others.digits_.end());
}

}  // namespace oddsbound::model
