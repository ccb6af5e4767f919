// What is lost where each attribute has randomized response of its own.
//
// Of k values, k-randomized response at level log(L) is the matrix t I + (1 - t)/k J, with t = (L - 1)/(L + k - 1) and
// J all ones. J J = k J, so its product with the one of s is the one of s t: at a lower level it is that at a higher
// one, post-processed, and what post-processing keeps holds below wherever it holds. Its inverse is the one of 1/t, of
// which each column has the squared norm c = ((k - 1)/t^2 + 1)/k. The inverse of a product of matrices is the product
// of theirs, and squared norms of columns multiply: the estimate of a marginal that an output stands for has a squared
// norm that is the same for all outputs. Less the sum of squares of the true shares, that is its variance.
//
// Levels are told by 1 - 1/L, in [0, 1]: 0 tells nothing, 1 is the truth (L infinite).
#pragma once

#include <cstdint>
#include <optional>

#include "verifier/exact/level.h"

namespace oddsbound::optimal {

/// log(L).
Level level_of_height(const Number& height);
/// 1 - 1/L.
Number height_of_level(const Level& level);

/// That the output is the true one of so many values: L/(L + k - 1).
Number truth_share(const Number& height, std::uint64_t values);
/// The squared norm of a column of the inverse; none where there is no inverse.
std::optional<Number> estimate_norm(const Number& height, std::uint64_t values);

}  // namespace oddsbound::optimal
