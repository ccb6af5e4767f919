// Probabilities as rigorous intervals of 126-bit fixed-point numbers: fast enough for millions of paths, and off by
// less than 2^-100 after all of them.
#pragma once

#include <cstdint>

#include "verifier/exact/number.h"

namespace oddsbound::audits {

/// An integer of 128 bits as a number.
Number number_of(unsigned __int128 value);

class Mass {
 public:
  using Fixed = unsigned __int128;
  static constexpr unsigned kBits = 126;

  Mass() = default;
  static Mass one() { return Mass(Fixed{1} << kBits, Fixed{1} << kBits); }
  /// 2^-bits.
  static Mass half_power(unsigned bits) { return Mass(Fixed{1} << (kBits - bits), Fixed{1} << (kBits - bits)); }
  /// An enclosure of a number in [0, 1].
  static Mass of(const Number& number);

  bool is_zero() const { return high_ == 0; }
  /// Certainly below 2^-bits.
  bool below(unsigned bits) const { return bits < kBits && high_ < Fixed{1} << (kBits - bits); }
  /// The other interval certainly lies within this one.
  bool contains(const Mass& other) const { return low_ <= other.low_ && other.high_ <= high_; }
  /// The same, with an upper end that is higher by that of `slack`.
  Mass widened(const Mass& slack) const { return Mass(low_, high_ + slack.high_); }
  Number lower() const { return fraction_of(low_); }
  Number upper() const { return fraction_of(high_); }

  Mass& operator+=(const Mass& other) {
    low_ += other.low_;
    high_ += other.high_;
    return *this;
  }
  friend Mass operator*(const Mass& a, const Mass& b) {
    return Mass(product(a.low_, b.low_, false), product(a.high_, b.high_, true));
  }

 private:
  Mass(Fixed low, Fixed high) : low_(low), high_(high) {}
  static Fixed product(Fixed a, Fixed b, bool round_up);
  static Number fraction_of(Fixed value) { return number_of(value) / Number(2).pow(kBits); }

  Fixed low_ = 0;
  Fixed high_ = 0;
};

}  // namespace oddsbound::audits
