#include "verifier/exact/interval.h"

#include "verifier/exact/number_detail.h"

namespace oddsbound::exact {

Interval::Interval(const Number& number) : Interval() {
  if (number.has_symbols()) {
    arb_indeterminate(value_);
  } else {
    enclose_number(value_, number, kBits);
  }
}

}  // namespace oddsbound::exact
