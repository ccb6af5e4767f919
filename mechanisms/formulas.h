// Formulas that several families share.
#pragma once

#include <cstdint>

#include "verifier/exact/level.h"

namespace oddsbound::mechanisms {

/// An integer as a Number. Throws LimitError from 2^63 on.
Number whole(std::uint64_t integer);

/// e^level * weight / (e^level * weight + rest): the probability of the favoured side. rest may be 0 if weight is not.
Number odds_share(const Level& level, const Number& weight, const Number& rest);

/// Whether outputs at this level can be turned back into estimates: it is above 0, and no function of symbols.
bool is_informative(const Level& level);

/// (e^level + 1) / (e^level - 1), what a sign that was flipped with odds e^level is to be multiplied with; the level
/// must be positive (inf: 1).
Number sign_gain(const Level& level);

/// The integer nearest to a number, halves up. Throws LimitError outside of 64 bits.
std::int64_t nearest_integer(const Number& number);

/// n choose k; throws LimitError from 2^62 on.
std::uint64_t binomial(std::uint64_t n, std::uint64_t k);

}  // namespace oddsbound::mechanisms
