// Numbers that depend on symbols: P/Q with P and Q integer polynomials in the symbols and exp(step) (FLINT's
// fmpz_mpoly).
//
// Canonical like ExpQuotient: P and Q coprime, the leading coefficient of Q positive, the step as large as
// possible (0 if exp does not occur). Equal functions therefore have equal representations. Invariant: Q is
// nonzero in the whole range of the symbols; a division by a function that may be 0 throws.
#pragma once

#include <flint/fmpz_mpoly.h>

#include "verifier/exact/exp_quotient.h"
#include "verifier/exact/symbols.h"

namespace oddsbound::exact {

struct SymbolRing::Context {
  explicit Context(slong generators) { fmpz_mpoly_ctx_init(ring, generators, ORD_LEX); }
  ~Context() { fmpz_mpoly_ctx_clear(ring); }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  fmpz_mpoly_ctx_t ring;
};

/// A polynomial in a ring, with value semantics.
class SymbolPolynomial {
 public:
  explicit SymbolPolynomial(std::shared_ptr<const SymbolRing> ring);
  SymbolPolynomial(const SymbolPolynomial& other);
  SymbolPolynomial(SymbolPolynomial&& other) noexcept;
  SymbolPolynomial& operator=(SymbolPolynomial other) noexcept;
  ~SymbolPolynomial();

  fmpz_mpoly_struct* get() { return value_; }
  const fmpz_mpoly_struct* get() const { return value_; }
  const fmpz_mpoly_ctx_struct* context() const { return ring_->context().ring; }
  const std::shared_ptr<const SymbolRing>& ring() const { return ring_; }

  SymbolPolynomial times(const SymbolPolynomial& other) const;
  Polynomial terms(const Rational& step) const;
  std::string text(const Rational& step) const;

 private:
  std::shared_ptr<const SymbolRing> ring_;
  fmpz_mpoly_t value_;
};

class SymbolQuotient {
 public:
  SymbolQuotient(std::shared_ptr<const SymbolRing> ring, const Rational& constant);
  /// The quotient 1 / denominator, not made canonical. `step` is that of the denominator.
  SymbolQuotient(const SymbolPolynomial& denominator, const Rational& step)
      : top_(denominator), bottom_(denominator), step_(step) {
    fmpz_mpoly_one(top_.get(), top_.context());
  }
  static SymbolQuotient symbol(std::shared_ptr<const SymbolRing> ring, std::size_t index);
  SymbolQuotient constant_beside(const Rational& constant) const { return {top_.ring(), constant}; }
  SymbolQuotient beside(const ExpQuotient& number) const;

  SymbolQuotient add(const SymbolQuotient& other) const;
  SymbolQuotient multiply(const SymbolQuotient& other) const;
  /// Returns the reciprocal. Throws NumberError if this is 0 for some values of the symbols or is not shown to be
  /// nonzero.
  SymbolQuotient invert() const;
  SymbolQuotient negate() const;
  SymbolQuotient power(long exponent) const;

  /// Returns the number without symbols if it depends on none.
  std::optional<Number> without_symbols() const;
  bool equals(const SymbolQuotient& other) const;
  /// Returns 1 if nowhere negative, -1 if nowhere positive. Throws NumberError if neither holds or neither can be
  /// decided.
  int sign() const;
  std::size_t hash() const;
  std::size_t bits() const;
  std::string to_string() const;
  Number substitute(std::span<const Number> values) const;

  const SymbolRing& ring() const { return *top_.ring(); }
  const SymbolPolynomial& top() const { return top_; }
  const SymbolPolynomial& bottom() const { return bottom_; }
  const Rational& step() const { return step_; }
  void use_step(const Rational& step);
  /// Returns the sign of the denominator, which is constant over the whole range.
  int bottom_sign() const;

 private:
  void canonicalise();
  static Rational common_step(SymbolQuotient& a, SymbolQuotient& b);

  SymbolPolynomial top_;
  SymbolPolynomial bottom_;
  Rational step_ = 0;
};

const SymbolQuotient* symbolic_of(const Number& number);
/// Returns the number in the ring of `like`. Throws NumberError if it depends on symbols of a different ring.
SymbolQuotient as_symbolic(const Number& number, const SymbolQuotient& like);

}  // namespace oddsbound::exact
