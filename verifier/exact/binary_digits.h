// The binary expansion of an exact number, to any length: what a sampler compares a uniform variate with.
#pragma once

#include <cstdint>
#include <vector>

#include "verifier/exact/number.h"

namespace oddsbound::exact {

/// The first `words` 64-bit digits of a number in [0, 1): floor(number * 2^(64 * words)), most significant word first.
/// Exact: for numbers that are not rational an enclosure is refined until both its ends have the same digits.
/// Throws NumberError outside [0, 1).
std::vector<std::uint64_t> binary_digits(const Number& number, unsigned words);

/// How many binary digits a number in [0, 1) has after the point; UINT32_MAX if they do not end.
std::uint32_t binary_length(const Number& number);

}  // namespace oddsbound::exact
