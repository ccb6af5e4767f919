#include "verifier/exact/number_detail.h"

#include <utility>

#include "base/errors.h"
#include "verifier/exact/interval.h"

namespace oddsbound::exact {

namespace {

void check_bits(const Rational& value) {
  const std::size_t top = mpz_sizeinbase(mpq_numref(value.backend().data()), 2);
  const std::size_t bottom = mpz_sizeinbase(mpq_denref(value.backend().data()), 2);
  if (std::max(top, bottom) > kMaxBits) {
    throw LimitError("a number passes the limit of " + std::to_string(kMaxBits) + " bits");
  }
}

}  // namespace

Integer wide_integer(__int128 value) {
  const unsigned __int128 size = static_cast<unsigned __int128>(magnitude(value));
  Integer result = static_cast<std::uint64_t>(size >> 64);
  result <<= 64;
  result += static_cast<std::uint64_t>(size);
  return value < 0 ? Integer(-result) : result;
}

Number make_number(const Rational& value) {
  mpz_srcptr top = mpq_numref(value.backend().data());
  mpz_srcptr bottom = mpq_denref(value.backend().data());
  if (mpz_fits_slong_p(top) && mpz_fits_slong_p(bottom)) {
    const std::int64_t numerator = mpz_get_si(top);
    if (numerator != std::numeric_limits<std::int64_t>::min()) return Number::ratio(numerator, mpz_get_si(bottom));
  }
  check_bits(value);
  return Number(std::make_shared<const Number::Heavy>(Number::Heavy{value}));
}

Number make_number(ExpQuotient value) {
  if (value.is_constant()) return make_number(value.constant());
  return Number(std::make_shared<const Number::Heavy>(Number::Heavy{std::move(value)}));
}

Number make_number(SymbolQuotient value) {
  if (const auto number = value.without_symbols()) return *number;
  return Number(std::make_shared<const Number::Heavy>(Number::Heavy{std::move(value)}));
}

Rational rational_of(const Number& number) {
  if (number.heavy() != nullptr) return std::get<Rational>(number.heavy()->value);
  std::int64_t numerator = 0;
  std::int64_t denominator = 1;
  number.fits_ratio(numerator, denominator);
  return Rational(Integer(numerator), Integer(denominator));
}

double near_double(const arb_t value) {
  if (arf_cmpabs_2exp_si(arb_midref(value), 1000) > 0) {
    return arf_sgn(arb_midref(value)) * std::numeric_limits<double>::infinity();
  }
  if (arf_cmpabs_2exp_si(arb_midref(value), -1000) < 0) return 0.0;
  return arf_get_d(arb_midref(value), ARF_RND_NEAR);
}

double approx_of(const ExpQuotient& quotient) {
  Ball value;
  slong precision = 80;
  for (quotient.enclose(value.get(), precision); arb_rel_accuracy_bits(value.get()) < 56;
       quotient.enclose(value.get(), precision)) {
    precision *= 2;
  }
  return near_double(value.get());
}

double approx_of(const Rational& rational) {
  Ball value;
  set_arb(value.get(), rational, 80);
  return near_double(value.get());
}

void enclose_number(arb_t result, const Number& number, slong precision) {
  if (number.has_symbols()) throw NumberError(number.to_string() + " has no value of its own: it depends on symbols");
  if (const ExpQuotient* quotient = quotient_of(number)) {
    quotient->enclose(result, precision);
  } else {
    set_arb(result, rational_of(number), precision);
  }
}

const ExpQuotient* quotient_of(const Number& number) {
  return number.heavy() == nullptr ? nullptr : std::get_if<ExpQuotient>(&number.heavy()->value);
}

}  // namespace oddsbound::exact
