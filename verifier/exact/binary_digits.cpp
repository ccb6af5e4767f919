#include "verifier/exact/binary_digits.h"

#include <arb.h>

#include <limits>

#include "base/errors.h"
#include "verifier/exact/ball.h"
#include "verifier/exact/number_detail.h"

namespace oddsbound::exact {

namespace {

// floor(ends of the enclosure * 2^bits), if both are the same integer.
bool scaled_floor(const Number& number, unsigned bits, slong precision, Integer& floor) {
  Ball value;
  enclose_number(value.get(), number, precision);
  arb_mul_2exp_si(value.get(), value.get(), bits);
  arb_floor(value.get(), value.get(), precision);
  fmpz_t digits;
  fmpz_init(digits);
  const bool unique = arb_get_unique_fmpz(digits, value.get()) != 0;
  if (unique) floor = integer_of(digits);
  fmpz_clear(digits);
  return unique;
}

}  // namespace

std::vector<std::uint64_t> binary_digits(const Number& number, unsigned words) {
  if (number.sign() < 0 || number >= Number(1)) throw NumberError("binary digits are those of a number in [0, 1)");
  const unsigned bits = 64 * words;
  Integer digits;
  if (number.is_rational()) {
    const Rational value = rational_of(number);
    digits = (Integer(numerator(value)) << bits) / Integer(denominator(value));
  } else {
    // The number is not rational, so its multiple is never an integer and some precision separates it from them.
    for (slong precision = bits + 64; !scaled_floor(number, bits, precision, digits); precision *= 2) {
    }
  }
  std::vector<std::uint64_t> result(words);
  for (unsigned w = words; w-- > 0; digits >>= 64) {
    result[w] = static_cast<std::uint64_t>(digits & Integer(std::numeric_limits<std::uint64_t>::max()));
  }
  return result;
}

std::uint32_t binary_length(const Number& number) {
  constexpr std::uint32_t kEndless = std::numeric_limits<std::uint32_t>::max();
  if (!number.is_rational()) return kEndless;
  const Integer bottom = denominator(rational_of(number));
  const auto twos = lsb(bottom);
  return bottom == Integer(1) << twos ? static_cast<std::uint32_t>(twos) : kEndless;
}

}  // namespace oddsbound::exact
