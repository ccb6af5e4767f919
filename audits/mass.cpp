#include "audits/mass.h"

#include "verifier/exact/binary_digits.h"

namespace oddsbound::audits {

Number number_of(unsigned __int128 value) {
  const Number word = Number(2).pow(32);
  Number result(0);
  for (int part = 3; part >= 0; --part) {
    result = result * word + Number(static_cast<std::int64_t>(static_cast<std::uint32_t>(value >> (32 * part))));
  }
  return result;
}

Mass Mass::of(const Number& number) {
  if (number.is_one()) return one();
  const auto digits = binary_digits(number, 2);
  const Fixed low = ((static_cast<Fixed>(digits[0]) << 64) | digits[1]) >> (128 - kBits);
  return Mass(low, binary_length(number) <= kBits ? low : low + 1);
}

// a * b / 2^126 from the four products of the 64-bit halves.
Mass::Fixed Mass::product(Fixed a, Fixed b, bool round_up) {
  const Fixed a1 = a >> 64, a0 = static_cast<std::uint64_t>(a);
  const Fixed b1 = b >> 64, b0 = static_cast<std::uint64_t>(b);
  const Fixed cross = a1 * b0 + a0 * b1;  // a1, b1 < 2^63: no overflow
  const Fixed bottom = a0 * b0;
  const Fixed low = bottom + (cross << 64);
  const Fixed high = a1 * b1 + (cross >> 64) + (low < bottom ? 1 : 0);
  const Fixed result = (high << (128 - kBits)) | (low >> kBits);
  const bool exact = (low & ((Fixed{1} << kBits) - 1)) == 0;
  return round_up && !exact ? result + 1 : result;
}

}  // namespace oddsbound::audits
