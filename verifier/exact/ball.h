// A real interval of Arb's that frees itself, and what statistics need of them. For .cpp files only (heavy header).
#pragma once

#include <arb.h>

#include <cstdint>

#include "base/namespaces.h"
#include "verifier/exact/number.h"

namespace oddsbound::exact {

class Ball {
 public:
  static constexpr slong kBits = 128;

  Ball() { arb_init(value_); }
  explicit Ball(double value) : Ball() { arb_set_d(value_, value); }
  /// One that contains the number, which has no symbols, to so many bits or somewhat less.
  Ball(const Number& number, slong bits);
  Ball(const Ball&) = delete;
  Ball& operator=(const Ball&) = delete;
  ~Ball() { arb_clear(value_); }
  arb_ptr get() { return value_; }
  arb_srcptr get() const { return value_; }

  /// A double that is not below (above) anything in it.
  double above() const { return edge(true); }
  double below() const { return edge(false); }

 private:
  double edge(bool upper) const;

  arb_t value_;
};

/// Adds weight * log(argument), of a positive number without symbols.
void add_log(Ball& sum, std::int64_t weight, const Number& argument);
/// Adds c log(q) + (n - c) log(1 - q).
void add_log_likelihood(Ball& sum, std::uint64_t n, std::uint64_t c, double q);
/// log Gamma(twice / 2).
void log_gamma_of_half(Ball& result, std::uint64_t twice);

}  // namespace oddsbound::exact
