#include "verifier/exact/symbols.h"

#include "base/errors.h"
#include "verifier/exact/number_detail.h"
#include "verifier/exact/symbol_quotient.h"

namespace oddsbound::exact {

std::string Symbol::range_text() const {
  if (low && high) {
    return low->to_string() + (low_open ? " < " : " <= ") + name + (high_open ? " < " : " <= ") + high->to_string();
  }
  if (low) return name + (low_open ? " > " : " >= ") + low->to_string();
  if (high) return name + (high_open ? " < " : " <= ") + high->to_string();
  return "any " + name;
}

bool Symbol::contains(const Number& value) const {
  const bool above = !low || (low_open ? value > *low : value >= *low);
  const bool below = !high || (high_open ? value < *high : value <= *high);
  return above && below;
}

SymbolRing::SymbolRing(std::vector<Symbol> symbols, Oracle oracle)
    : symbols_(std::move(symbols)),
      oracle_(std::move(oracle)),
      context_(std::make_unique<Context>(static_cast<slong>(symbols_.size()) + 1)) {}

SymbolRing::~SymbolRing() = default;

std::shared_ptr<const SymbolRing> SymbolRing::make(std::vector<Symbol> symbols, Oracle oracle) {
  return std::shared_ptr<const SymbolRing>(new SymbolRing(std::move(symbols), std::move(oracle)));
}

Number SymbolRing::value(std::size_t index) const {
  return make_number(SymbolQuotient::symbol(shared_from_this(), index));
}

SignRange SymbolRing::signs(const std::string& text, const Polynomial& polynomial) const {
  const std::lock_guard lock(mutex_);
  const auto place = known_.find(text);
  if (place != known_.end()) return place->second;
  return known_.emplace(text, oracle_(*this, polynomial)).first->second;
}

const SymbolRing* ring_of(const Number& number) {
  const SymbolQuotient* symbolic = symbolic_of(number);
  return symbolic == nullptr ? nullptr : &symbolic->ring();
}

Number substitute(const Number& number, std::span<const Number> values) {
  const SymbolQuotient* symbolic = symbolic_of(number);
  return symbolic == nullptr ? number : symbolic->substitute(values);
}

Number evaluate(const Polynomial& polynomial, std::span<const Number> values) {
  Number sum(0);
  for (const PolynomialTerm& term : polynomial) {
    Number product = term.coefficient;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (term.powers[i] != 0) product *= values[i].pow(static_cast<std::int64_t>(term.powers[i]));
    }
    sum += product * Number::exp_of(term.exponent);
  }
  return sum;
}

namespace {

std::shared_ptr<const SymbolRing> ring_for(std::span<const Number> numbers) {
  for (const Number& number : numbers) {
    if (const SymbolQuotient* symbolic = symbolic_of(number)) return symbolic->top().ring();
  }
  return SymbolRing::make({}, nullptr);
}

// Returns 1/m for the least common multiple m of the denominators; its bottom_sign() is the sign of m over the
// range.
SymbolQuotient common_denominator(const std::vector<SymbolQuotient>& numbers, const SymbolQuotient& one) {
  SymbolPolynomial multiple = one.bottom();
  SymbolPolynomial divisor(multiple.ring()), rest(multiple.ring());
  for (const SymbolQuotient& number : numbers) {
    fmpz_mpoly_gcd(divisor.get(), multiple.get(), number.bottom().get(), multiple.context());
    fmpz_mpoly_divides(rest.get(), number.bottom().get(), divisor.get(), multiple.context());
    multiple = multiple.times(rest);
  }
  return SymbolQuotient(multiple, numbers.front().step());
}

}  // namespace

std::vector<Polynomial> polynomial_forms(std::span<const Number> numbers) {
  std::vector<Polynomial> result;
  bool rational = true;
  for (const Number& number : numbers) rational = rational && number.is_rational();
  if (rational) {
    for (const Number& number : numbers) {
      result.emplace_back();
      if (!number.is_zero()) result.back().push_back({number, {}, Number(0)});
    }
    return result;
  }
  const SymbolQuotient one(ring_for(numbers), Rational(1));
  std::vector<SymbolQuotient> all;
  Rational step = 0;
  for (const Number& number : numbers) {
    all.push_back(as_symbolic(number, one));
    const Rational& own = all.back().step();
    if (own != 0) step = step == 0 ? own : rational_gcd(step, own);
  }
  for (SymbolQuotient& number : all) number.use_step(step);
  const SymbolQuotient multiple = common_denominator(all, one);
  const int sign = multiple.bottom_sign();
  for (SymbolQuotient& number : all) {
    SymbolPolynomial factor(number.top().ring());
    fmpz_mpoly_divides(factor.get(), multiple.bottom().get(), number.bottom().get(), factor.context());
    Polynomial form = number.top().times(factor).terms(step);
    if (sign < 0) {
      for (PolynomialTerm& term : form) term.coefficient = -term.coefficient;
    }
    result.push_back(std::move(form));
  }
  return result;
}

}  // namespace oddsbound::exact
