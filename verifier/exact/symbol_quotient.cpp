#include "verifier/exact/symbol_quotient.h"

#include <flint/fmpz_poly.h>

#include <cstdlib>

#include "base/errors.h"
#include "verifier/exact/number_detail.h"

namespace oddsbound::exact {

namespace {

constexpr slong kMaxTerms = 1000;
constexpr slong kMaxProducts = 200'000;
constexpr slong kMaxPower = 20000;

using RingPtr = std::shared_ptr<const SymbolRing>;

slong exponential_of(const SymbolRing& ring) { return static_cast<slong>(ring.symbols().size()); }

void check_size(const SymbolPolynomial& polynomial) {
  if (fmpz_mpoly_length(polynomial.get(), polynomial.context()) > kMaxTerms ||
      fmpz_mpoly_total_degree_si(polynomial.get(), polynomial.context()) > kMaxPower) {
    throw LimitError("a number passes the limit of " + std::to_string(kMaxTerms) + " terms in its symbols");
  }
}

// Returns the gcd of the powers of exp(step); 0 if it does not occur.
ulong exponential_gcd(const SymbolPolynomial& polynomial) {
  const auto place = static_cast<std::size_t>(exponential_of(*polynomial.ring()));
  ulong result = 0;
  std::vector<ulong> powers(place + 1);
  for (slong i = 0; i < fmpz_mpoly_length(polynomial.get(), polynomial.context()); ++i) {
    fmpz_mpoly_get_term_exp_ui(powers.data(), polynomial.get(), i, polynomial.context());
    result = n_gcd(result, powers[place]);
  }
  return result;
}

// Multiplies (or divides) the powers of exp(step) by a factor.
void scale_exponential(SymbolPolynomial& polynomial, ulong factor, bool divide) {
  const auto generators = static_cast<std::size_t>(exponential_of(*polynomial.ring())) + 1;
  std::vector<fmpz> shift(generators, 0), stride(generators, 1);
  fmpz_set_ui(&stride[generators - 1], factor);
  (divide ? fmpz_mpoly_deflate : fmpz_mpoly_inflate)(polynomial.get(), polynomial.get(), shift.data(), stride.data(),
                                                     polynomial.context());
  fmpz_clear(&stride[generators - 1]);
}

// Returns top / bottom as a number if it depends on no symbol.
std::optional<Number> number_without_symbols(const SymbolPolynomial& top, const SymbolPolynomial& bottom,
                                             const Rational& step) {
  UnivariatePolynomial above, below;
  const slong place = exponential_of(*top.ring());
  if (!fmpz_mpoly_is_fmpz_poly(top.get(), place, top.context()) ||
      !fmpz_mpoly_is_fmpz_poly(bottom.get(), place, top.context())) {
    return std::nullopt;
  }
  fmpz_mpoly_get_fmpz_poly(above.get(), top.get(), place, top.context());
  fmpz_mpoly_get_fmpz_poly(below.get(), bottom.get(), place, top.context());
  return make_number(ExpQuotient(above.get(), below.get(), step == 0 ? Rational(1) : step));
}

SymbolPolynomial constant_polynomial(const RingPtr& ring, const Integer& value) {
  SymbolPolynomial result(ring);
  Fmpz part(value);
  fmpz_mpoly_set_fmpz(result.get(), part.get(), result.context());
  return result;
}

SignRange signs_of(const SymbolPolynomial& polynomial, const Rational& step) {
  SignRange range;
  if (const auto number = number_without_symbols(polynomial, constant_polynomial(polynomial.ring(), 1), step)) {
    range.nowhere.fill(true);
    const auto sign = static_cast<std::size_t>(number->sign() + 1);
    range.nowhere[sign] = false;
    range.at[sign] = "all values";
    return range;
  }
  return polynomial.ring()->signs(polynomial.text(step), polynomial.terms(step));
}

std::string wrapped(const std::string& text, slong terms) { return terms > 1 ? "(" + text + ")" : text; }

}  // namespace

SymbolPolynomial::SymbolPolynomial(RingPtr ring) : ring_(std::move(ring)) { fmpz_mpoly_init(value_, context()); }

SymbolPolynomial::SymbolPolynomial(const SymbolPolynomial& other) : SymbolPolynomial(other.ring_) {
  fmpz_mpoly_set(value_, other.value_, context());
}

SymbolPolynomial::SymbolPolynomial(SymbolPolynomial&& other) noexcept : ring_(other.ring_) {
  fmpz_mpoly_init(value_, context());
  fmpz_mpoly_swap(value_, other.value_, context());
}

SymbolPolynomial& SymbolPolynomial::operator=(SymbolPolynomial other) noexcept {
  // Both have the same ring.
  fmpz_mpoly_swap(value_, other.value_, context());
  return *this;
}

SymbolPolynomial::~SymbolPolynomial() { fmpz_mpoly_clear(value_, context()); }

SymbolPolynomial SymbolPolynomial::times(const SymbolPolynomial& other) const {
  if (fmpz_mpoly_length(value_, context()) * fmpz_mpoly_length(other.value_, context()) > kMaxProducts) {
    throw LimitError("a product of numbers passes the limit of " + std::to_string(kMaxProducts) +
                     " terms in their symbols");
  }
  SymbolPolynomial result(ring_);
  fmpz_mpoly_mul(result.get(), value_, other.value_, context());
  return result;
}

Polynomial SymbolPolynomial::terms(const Rational& step) const {
  Polynomial result;
  Fmpz coefficient;
  for (slong i = 0; i < fmpz_mpoly_length(value_, context()); ++i) {
    PolynomialTerm term;
    term.powers.resize(ring_->symbols().size() + 1);
    fmpz_mpoly_get_term_exp_ui(term.powers.data(), value_, i, context());
    fmpz_mpoly_get_term_coeff_fmpz(coefficient.get(), value_, i, context());
    term.coefficient = make_number(Rational(integer_of(coefficient.get()), Integer(1)));
    term.exponent = make_number(Rational(step * term.powers.back()));
    term.powers.pop_back();
    result.push_back(std::move(term));
  }
  return result;
}

std::string SymbolPolynomial::text(const Rational& step) const {
  std::vector<std::string> names;
  for (const Symbol& symbol : ring_->symbols()) names.push_back(symbol.name);
  names.push_back("exp(" + rational_text(step) + ")");
  std::vector<const char*> pointers;
  for (const std::string& name : names) pointers.push_back(name.c_str());
  char* text = fmpz_mpoly_get_str_pretty(value_, pointers.data(), context());
  std::string result(text);
  flint_free(text);
  return result;
}

SymbolQuotient::SymbolQuotient(RingPtr ring, const Rational& constant)
    : top_(constant_polynomial(ring, Integer(numerator(constant)))),
      bottom_(constant_polynomial(ring, Integer(denominator(constant)))) {}

SymbolQuotient SymbolQuotient::symbol(RingPtr ring, std::size_t index) {
  SymbolQuotient result(std::move(ring), Rational(1));
  fmpz_mpoly_gen(result.top_.get(), static_cast<slong>(index), result.top_.context());
  return result;
}

SymbolQuotient SymbolQuotient::beside(const ExpQuotient& number) const {
  SymbolQuotient result(top_.ring(), Rational(1));
  const slong place = exponential_of(*top_.ring());
  fmpz_mpoly_set_fmpz_poly(result.top_.get(), number.top(), place, top_.context());
  fmpz_mpoly_set_fmpz_poly(result.bottom_.get(), number.bottom(), place, top_.context());
  result.step_ = number.step();
  result.canonicalise();
  return result;
}

void SymbolQuotient::use_step(const Rational& step) {
  if (step_ != 0 && step != step_) {
    const Integer factor = Integer(numerator(Rational(step_ / step)));
    const slong degree = std::max(fmpz_mpoly_degree_si(top_.get(), exponential_of(ring()), top_.context()),
                                  fmpz_mpoly_degree_si(bottom_.get(), exponential_of(ring()), top_.context()));
    if (factor > kMaxPower / std::max<slong>(degree, 1)) {
      throw LimitError("the exponents of exp(...) are too far apart or too finely divided");
    }
    scale_exponential(top_, factor.convert_to<unsigned long>(), false);
    scale_exponential(bottom_, factor.convert_to<unsigned long>(), false);
  }
  step_ = step;
}

Rational SymbolQuotient::common_step(SymbolQuotient& a, SymbolQuotient& b) {
  Rational step = a.step_ == 0 ? b.step_ : a.step_;
  if (a.step_ != 0 && b.step_ != 0) step = rational_gcd(a.step_, b.step_);
  a.use_step(step);
  b.use_step(step);
  return step;
}

void SymbolQuotient::canonicalise() {
  check_size(top_);
  check_size(bottom_);
  SymbolPolynomial divisor(top_.ring());
  if (!fmpz_mpoly_gcd(divisor.get(), top_.get(), bottom_.get(), top_.context())) {
    throw LimitError("a common divisor of two polynomials in the symbols is too large to find");
  }
  if (fmpz_sgn(fmpz_mpoly_leadcoeff(bottom_.get())) < 0) {
    fmpz_mpoly_neg(divisor.get(), divisor.get(), top_.context());
  }
  if (!fmpz_mpoly_is_one(divisor.get(), top_.context())) {
    fmpz_mpoly_divides(top_.get(), top_.get(), divisor.get(), top_.context());
    fmpz_mpoly_divides(bottom_.get(), bottom_.get(), divisor.get(), top_.context());
  }
  const ulong factor = n_gcd(exponential_gcd(top_), exponential_gcd(bottom_));
  if (factor == 0) step_ = 0;
  if (factor > 1) {
    scale_exponential(top_, factor, true);
    scale_exponential(bottom_, factor, true);
    step_ *= Rational(factor);
  }
}

SymbolQuotient SymbolQuotient::add(const SymbolQuotient& other) const {
  SymbolQuotient left(*this), right(other);
  common_step(left, right);
  const SymbolPolynomial first = left.top_.times(right.bottom_);
  const SymbolPolynomial second = right.top_.times(left.bottom_);
  fmpz_mpoly_add(left.top_.get(), first.get(), second.get(), top_.context());
  left.bottom_ = left.bottom_.times(right.bottom_);
  left.canonicalise();
  return left;
}

SymbolQuotient SymbolQuotient::multiply(const SymbolQuotient& other) const {
  SymbolQuotient left(*this), right(other);
  common_step(left, right);
  left.top_ = left.top_.times(right.top_);
  left.bottom_ = left.bottom_.times(right.bottom_);
  left.canonicalise();
  return left;
}

SymbolQuotient SymbolQuotient::invert() const {
  const SignRange range = signs_of(top_, step_);
  const auto& zero = range.at[SignRange::kZero];
  if (zero) throw NumberError("division by " + to_string() + ", which is 0 for " + *zero);
  if (!range.nowhere[SignRange::kZero]) {
    throw NumberError("division by " + to_string() + ", which could not be shown to be nowhere 0");
  }
  SymbolQuotient result(*this);
  result.top_ = bottom_;
  result.bottom_ = top_;
  result.canonicalise();
  return result;
}

SymbolQuotient SymbolQuotient::negate() const {
  SymbolQuotient result(*this);
  fmpz_mpoly_neg(result.top_.get(), result.top_.get(), top_.context());
  return result;
}

SymbolQuotient SymbolQuotient::power(long exponent) const {
  SymbolQuotient base = exponent < 0 ? invert() : *this;
  SymbolQuotient result(top_.ring(), Rational(1));
  for (unsigned long count = static_cast<unsigned long>(std::labs(exponent)); count > 0; count /= 2) {
    if (count % 2 == 1) result = result.multiply(base);
    if (count > 1) base = base.multiply(base);
  }
  return result;
}

std::optional<Number> SymbolQuotient::without_symbols() const { return number_without_symbols(top_, bottom_, step_); }

bool SymbolQuotient::equals(const SymbolQuotient& other) const {
  return top_.ring() == other.top_.ring() && step_ == other.step_ &&
         fmpz_mpoly_equal(top_.get(), other.top_.get(), top_.context()) != 0 &&
         fmpz_mpoly_equal(bottom_.get(), other.bottom_.get(), top_.context()) != 0;
}

int SymbolQuotient::bottom_sign() const {
  const SignRange range = signs_of(bottom_, step_);
  // The denominator is nonzero over a connected range. So one value with a sign, or the absence of the opposite
  // sign, decides it.
  if (range.at[SignRange::kPositive] || range.nowhere[SignRange::kNegative]) return 1;
  if (range.at[SignRange::kNegative] || range.nowhere[SignRange::kPositive]) return -1;
  throw NumberError("the sign of " + bottom_.text(step_) + " could not be decided");
}

int SymbolQuotient::sign() const {
  const SignRange range = signs_of(top_, step_);
  const int below = bottom_sign();
  const auto& negative = range.at[SignRange::kNegative];
  const auto& positive = range.at[SignRange::kPositive];
  if (negative && positive) {
    const auto& wrong = below > 0 ? *negative : *positive;
    throw NumberError("the sign of " + to_string() + " depends on the symbols: it is negative for " + wrong);
  }
  if (range.nowhere[SignRange::kNegative]) return below;
  if (range.nowhere[SignRange::kPositive]) return -below;
  throw NumberError("the sign of " + to_string() + " could not be decided");
}

std::size_t SymbolQuotient::hash() const { return std::hash<std::string>()(to_string()); }

std::size_t SymbolQuotient::bits() const {
  return static_cast<std::size_t>(
      std::max(std::labs(fmpz_mpoly_max_bits(top_.get())), std::labs(fmpz_mpoly_max_bits(bottom_.get()))));
}

std::string SymbolQuotient::to_string() const {
  const std::string above = top_.text(step_);
  if (fmpz_mpoly_is_one(bottom_.get(), top_.context())) return above;
  const Polynomial below = bottom_.terms(step_);
  const bool plain =
      below.size() == 1 && (below[0].coefficient.is_one() || bottom_.text(step_).find('*') == std::string::npos);
  const std::string divisor = bottom_.text(step_);
  return wrapped(above, fmpz_mpoly_length(top_.get(), top_.context())) + "/" + (plain ? divisor : "(" + divisor + ")");
}

Number SymbolQuotient::substitute(std::span<const Number> values) const {
  return evaluate(top_.terms(step_), values) / evaluate(bottom_.terms(step_), values);
}

SymbolQuotient as_symbolic(const Number& number, const SymbolQuotient& like) {
  if (const SymbolQuotient* symbolic = symbolic_of(number)) {
    if (&symbolic->ring() != &like.ring()) throw NumberError("two numbers depend on the symbols of different specs");
    return *symbolic;
  }
  if (const ExpQuotient* quotient = quotient_of(number)) return like.beside(*quotient);
  return like.constant_beside(rational_of(number));
}

const SymbolQuotient* symbolic_of(const Number& number) {
  return number.heavy() == nullptr ? nullptr : std::get_if<SymbolQuotient>(&number.heavy()->value);
}

}  // namespace oddsbound::exact
