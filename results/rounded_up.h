// Figures of a ledger as people read them: decimals, rounded up, or "inf".
#pragma once

#include <string>

#include "verifier/exact/level.h"

namespace oddsbound::results {

/// Of so many digits, where the number is no decimal of fewer.
std::string rounded_up(const Number& number, int digits = 6);
std::string rounded_up(const Level& level);
/// Whether rounded_up says the level itself.
bool is_short_decimal(const Level& level);

}  // namespace oddsbound::results
