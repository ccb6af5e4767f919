// What a release costs over tables that differ in some attributes of one record: as pure differential privacy, and as
// zero-concentrated differential privacy (zCDP; Bun and Steinke 2016), the supremum over a > 1 of the Renyi divergence
// of order a, divided by a.
#pragma once

#include "verifier/exact/level.h"

namespace oddsbound::mechanisms {

struct Loss {
  Level pure{};   // the largest logarithm of a quotient of probabilities of outputs; infinite: there is no bound
  Number rho{0};  // zCDP at most

  bool is_zero() const { return rho.is_zero(); }
  /// Of steps one after the other, also if later ones depend on what earlier ones told. Where e to their loss would be
  /// too long a number (exponents of many different fractions), it is rounded up to a rational one.
  Loss& operator+=(const Loss& other);
};

/// Of a step of that pure loss. rho is level * tanh(level / 2), rounded up by less than 2^-50 of it: randomized
/// response has the largest divergences of all pairs within the level, and these are at most a * level * tanh(level /
/// 2) at order a. (level^2 / 2, which is often taken, is larger.)
Loss pure_loss(const Level& level);
/// The same where rho is known to be at most this as well.
Loss pure_loss(const Level& level, const Number& rho);
/// Of a step that has this rho and no bound on quotients.
Loss concentrated_loss(const Number& rho);

/// The least epsilon, nearly and rounded up to so many decimals, for which rho-zCDP implies (epsilon, delta)-DP: by the
/// conversion of Canonne, Kamath and Steinke (2020), Proposition 12, at one order; any order gives a valid one. rho is
/// positive and rational, delta in (0, 1) and rational.
Number epsilon_of(const Number& rho, const Number& delta, int decimals = 5);

/// The same of a loss: by rho, or its pure loss where that is less.
Number epsilon_of(const Loss& loss, const Number& delta, int decimals = 5);

}  // namespace oddsbound::mechanisms
