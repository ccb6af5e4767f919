// A real interval of Arb's that frees itself. For .cpp files only (heavy header).
#pragma once

#include <arb.h>

#include "base/namespaces.h"

namespace oddsbound::exact {

class Ball {
 public:
  Ball() { arb_init(value_); }
  explicit Ball(double value) : Ball() { arb_set_d(value_, value); }
  Ball(const Ball&) = delete;
  Ball& operator=(const Ball&) = delete;
  ~Ball() { arb_clear(value_); }
  arb_ptr get() { return value_; }

 private:
  arb_t value_;
};

}  // namespace oddsbound::exact
