// Two numbers that a verdict compares, with as many digits as show which one is larger.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "verifier/exact/level.h"

namespace oddsbound::results {

struct ToldApart {
  std::string a, b;  // decimals, each rounded to the nearest
};

/// The fewest digits, at least six, with which the decimals of a and b differ: "0.9999997" and "1". None if the numbers
/// are equal, if one of them is negative or infinite, or if they agree in the first 60 digits.
std::optional<ToldApart> told_apart(const Number& a, const Number& b);
/// The same of levels, in nats.
std::optional<ToldApart> told_apart(const Level& a, const Level& b);

/// "0.9999997 < 1", of numbers that differ; where no digits show it: "they differ after the first 60 digits".
std::string comparison_text(const Number& a, const Number& b);
std::string comparison_text(const Level& a, const Level& b);

/// Both as in number_text, with more digits where these would be the same: "about 0.4999999" and "about 0.5".
std::pair<std::string, std::string> texts_apart(const Number& a, const Number& b);

}  // namespace oddsbound::results
